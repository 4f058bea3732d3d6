import { readFileSync } from 'node:fs'
import { bearer, callApi, createKeyFor, putFlag } from '../../harness/call-api.ts'
import { startServer } from '../../harness/start-server.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const NAMES = { short: 1_500, full: 100_000 }
const BATCH = 500
const SENDERS = 8
const STATS_MAX_BYTES = 300_000
const GROWTH_MAX_MB = 150
const PAGE_KB = 4
const KB_PER_MB = 1024

export const fault: Fault = {
  group: 'reports',
  title: 'Invented flag keys, values and event keys, sent with a client key',
  promise:
    'Responses stay small, memory does not grow, and the counts of existing flags are correct. An admin can delete the invented names.',
  async run(stage, scale) {
    // The budget of a minute would end it far earlier.
    const env = { CLIENT_REPORTS_PER_MINUTE: '0' }
    const server = await startServer(stage, { databaseUrl: await createSharedDatabase(), env })
    const count = countOf(scale, NAMES)
    const { environment_id, key } = await createKeyFor(server.url, 'development', 'client')
    const { key: admin } = await createKeyFor(server.url, 'development')
    const at = `/api/environments/${environment_id}`
    const read = (path: string) => callApi(server.url, 'GET', at + path, undefined, bearer(admin))
    const send = (path: string, items: readonly object[]) =>
      callApi(server.url, 'POST', at + path, items, bearer(key))
    await putFlag(server.url, environment_id, { key: 'real' }, bearer(admin))
    await send('/impressions', [
      { flag_key: 'real', value: 'true', user_id: 'ada' },
      { flag_key: 'real', value: 'false', user_id: 'eve', evaluated_at: '1999-01-01T00:00:00Z' },
    ])

    const memoryBefore = memoryMb(server.pid)
    const statuses = await inBatches(count, async (names) => [
      await send(
        '/impressions',
        names.map((name) => ({ flag_key: name, value: name, user_id: name })),
      ),
      await send(
        '/impressions',
        names.map((name) => ({ flag_key: 'real', value: name, user_id: name })),
      ),
      await send(
        '/events',
        names.map((name) => ({ event_key: name, user_id: name })),
      ),
    ])
    const growth = Math.round(memoryMb(server.pid) - memoryBefore)

    const broken: string[] = []
    const require = (isKept: boolean, what: string) => void (isKept || broken.push(what))
    require([...statuses].every((status) => status === 204), `Reports got ${[...statuses]}.`)
    require(growth <= GROWTH_MAX_MB, `Memory grew by ${growth} MB.`)
    const stats = await read('/impressions/stats')
    const bytes = JSON.stringify(stats.body).length
    require(bytes <= STATS_MAX_BYTES, `The statistics have ${bytes} bytes.`)
    const real = stats.body.find(({ flag_key }: { flag_key: string }) => flag_key === 'real')
    require(real?.true_count === 1 &&
      real?.false_count === 1, `The real flag is counted ${JSON.stringify(real)}.`)
    const firsts = await read('/impressions?flag_key=real&user_id=eve')
    const [first] = firsts.body.items
    require(first !== undefined, 'The exposure with the time 1999 is not listed.')
    require(!first?.evaluated_at.startsWith('1999'), 'An exposure of 1999 was stored.')
    const keys = await read('/events/keys')
    require(keys.body.length <= 201, `${keys.body.length} event keys are listed.`)
    const gone = await callApi(
      server.url,
      'DELETE',
      `${at}/reports?flag_key=${encodeURIComponent('(other)')}`,
      undefined,
      bearer(admin),
    )
    require(gone.status === 200 && gone.body.reports > 0, `Deleting returned ${gone.status}.`)
    await server.stop()
    return {
      times: `${count.toLocaleString('en')} names of each kind`,
      seen: `stats ${Math.round(bytes / 1000)} KB with ${stats.body.length} rows, memory +${growth} MB`,
      broken,
    }
  },
}

/** Sends names in batches, some concurrently. Returns the statuses of the responses. */
async function inBatches(
  count: number,
  send: (names: readonly string[]) => Promise<readonly { readonly status: number }[]>,
): Promise<Set<number>> {
  const statuses = new Set<number>()
  const sender = async (first: number) => {
    for (let from = first * BATCH; from < count; from += SENDERS * BATCH) {
      const names = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => `invented-${from + n}`)
      for (const { status } of await send(names)) statuses.add(status)
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, (_, first) => sender(first)))
  return statuses
}

/** Returns the resident memory of the process. */
function memoryMb(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return (pages * PAGE_KB) / KB_PER_MB
}
