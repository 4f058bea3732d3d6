import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { type CallInit, call, send } from '../../../src/shared/api/call.ts'
import { endpointKey } from '../../../src/shared/api/queries.ts'
import { readStaleInto } from '../../../src/shared/api/read-stale.ts'

const HERE = 'e1'
const ELSEWHERE = 'e2'
const PATCH = { params: { env_id: HERE, key: 'dark-mode' }, body: { is_enabled: true } }
const FLAG = { key: 'dark-mode', is_enabled: true }
const reply = (status: number, body: unknown) => async (_: string, _init: CallInit) =>
  new Response(JSON.stringify(body), { status })
const accept = { fetch: reply(200, FLAG) }

/** A cache in which responses stay fresh until a write, with the reads that it starts. */
function openCache() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  const stop = readStaleInto(client)
  onTestFinished(() => {
    stop()
    client.clear()
  })
  const reads: string[] = []
  /** A page that shows the response of an endpoint. Returns the function that leaves it. */
  const show = async (name: 'listFlags' | 'getFlagHistory' | 'listProjects', params = {}) => {
    const observer = new QueryObserver(client, {
      queryKey: endpointKey(name, { params } as never),
      queryFn: async () => {
        reads.push(`${name} ${(params as { env_id?: string }).env_id ?? ''}`.trim())
        return []
      },
    })
    const leave = observer.subscribe(() => undefined)
    await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true)
    reads.length = 0
    return leave
  }
  return { client, reads, show }
}

test('a write has what pages show of its lists read again, and waits for it', async () => {
  const { reads, show } = openCache()
  await show('getFlagHistory', { env_id: HERE, key: 'dark-mode' })
  await show('listProjects')
  await call('patchFlag', PATCH as never, accept)
  expect(reads).toEqual([`getFlagHistory ${HERE}`])
})

test('what no page shows is not read after a write, but once a page shows it', async () => {
  const { client, reads, show } = openCache()
  const reader = () => client.getQueryState(endpointKey('listFlags', { params: { env_id: HERE } }))
  const leave = await show('listFlags', { env_id: HERE })
  leave()
  await call('patchFlag', PATCH as never, accept)
  expect(reads).toEqual([])
  expect(reader()?.dataUpdateCount).toBe(1)
  await show('listFlags', { env_id: HERE })
  await expect.poll(() => reader()?.dataUpdateCount).toBe(2)
})

test('a list that the response was put into is not read', async () => {
  const { client, reads, show } = openCache()
  await show('listFlags', { env_id: HERE })
  await show('getFlagHistory', { env_id: HERE, key: 'dark-mode' })
  const { body } = await send('patchFlag', PATCH as never, accept)
  client.setQueryData(endpointKey('listFlags', { params: { env_id: HERE } }), [body])
  await expect.poll(() => reads).toEqual([`getFlagHistory ${HERE}`])
})

test('the lists of another environment stay', async () => {
  const { reads, show } = openCache()
  await show('listFlags', { env_id: ELSEWHERE })
  await show('listFlags', { env_id: HERE })
  await call('patchFlag', PATCH as never, accept)
  expect(reads).toEqual([`listFlags ${HERE}`])
})

test('a promotion makes the lists of its target stale', async () => {
  const { reads, show } = openCache()
  await show('listFlags', { env_id: ELSEWHERE })
  await show('listFlags', { env_id: HERE })
  const input = { params: { env_id: HERE, key: 'dark-mode' }, body: { target_env_id: ELSEWHERE } }
  await call('promoteFlag', input, accept)
  expect(reads).toEqual([`listFlags ${ELSEWHERE}`])
})

test('writes in a row share their reads', async () => {
  const { reads, show } = openCache()
  await show('listFlags', { env_id: HERE })
  await Promise.all([1, 2, 3].map(() => call('patchFlag', PATCH as never, accept)))
  expect(reads).toEqual([`listFlags ${HERE}`])
})

test('a page is left before what is gone would be read', async () => {
  const { reads, show } = openCache()
  const leave = await show('listFlags', { env_id: HERE })
  await call('deleteFlag', { params: { env_id: HERE, key: 'dark-mode' } }, { ...accept, settle: leave })
  expect(reads).toEqual([])
})

test('a write that is refused, or only tried, makes nothing stale', async () => {
  const { reads, show } = openCache()
  await show('listFlags', { env_id: HERE })
  const refuse = { fetch: reply(412, { error: 'stale' }) }
  await expect(call('patchFlag', PATCH as never, refuse)).rejects.toThrow('Stale.')
  const params = { env_id: HERE }
  await call('applyEnvironment', { params, body: { flags: [], dry_run: true } }, accept)
  expect(reads).toEqual([])
  await call('applyEnvironment', { params, body: { flags: [] } }, accept)
  expect(reads).toEqual([`listFlags ${HERE}`])
})
