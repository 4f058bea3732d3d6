import { afterAll, beforeAll, expect, it } from 'vitest'
import { findVisibleDependent } from '../../../src/targeting/flag-model/hidden-warnings.ts'
import { listNeedingFlags } from '../../../src/targeting/flags/queries.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('no dependents of a hidden flag are read once all prerequisites exceed 4 MiB, and a write still works', async () => {
  const environment_id = server.environments.production
  const path = `/api/environments/${environment_id}/flags`
  const hidden = { key: 'hidden', is_enabled: true, client_visible: false }
  await server.call({ path, body: hidden })
  const long = (at: number) => `${at}`.padStart(6, '0').repeat(16)
  const prerequisites = [
    { flag_key: 'hidden' },
    ...Array.from({ length: 8_000 }, (_, at) => ({ flag_key: long(at) })),
  ]
  const put = (key: string) => server.call({ path, body: { key, is_enabled: true, prerequisites } })
  for (const key of ['first', 'second', 'third', 'fourth']) expect((await put(key)).status).toBe(200)
  const needing = await listNeedingFlags(server.database.db, environment_id)
  expect(await findVisibleDependent('hidden', needing)).toBe('first')
  expect((await put('fifth')).status).toBe(200)
  expect(await listNeedingFlags(server.database.db, environment_id)).toEqual([])
  const { body, status } = await server.call({ path, body: { ...hidden, description: 'again' } })
  expect(status).toBe(200)
  expect(body).not.toHaveProperty('warnings')
})

it('dependents are found in a chain of thousands and in a ring, each flag visited once', async () => {
  const chain = Array.from({ length: 5_000 }, (_, at) => ({
    key: `f${at}`,
    prerequisites: [{ flag_key: `f${(at + 1) % 5_000}` }],
    is_visible: at === 17,
  }))
  expect(await findVisibleDependent('f4999', chain)).toBe('f17')
  expect(await findVisibleDependent('f17', chain)).toBeUndefined()
})
