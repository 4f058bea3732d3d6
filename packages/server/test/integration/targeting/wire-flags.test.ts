import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectDatabase } from '../../../src/platform/db/connect.ts'
import { loadWireFlags } from '../../../src/targeting/flags/index.ts'
import { silentLog } from '../../harness/silent-log.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

/** More than two pages of flags, and the last one is not full. */
const FLAGS = 1_203
/** The flags of one request. */
const APPLIED = 401

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('the flags of SDKs are read in pages: all of one revision, in code unit order, without archived ones', async () => {
  const environment_id = server.environments.staging
  const keys = Array.from({ length: FLAGS }, (_, nth) => `${'Az_'[nth % 3]}-${nth}`)
  const at = `/api/environments/${environment_id}`
  for (let from = 0; from < FLAGS; from += APPLIED) {
    const flags = keys.slice(from, from + APPLIED).map((key) => ({ key, is_enabled: true }))
    expect((await server.call({ path: `${at}/apply`, body: { flags } })).status).toBe(200)
  }
  const archived = { method: 'PATCH', path: `${at}/flags/A-0`, body: { archived_at: '2026-01-01T00:00:00Z' } }
  expect((await server.call(archived)).status).toBe(200)
  const { close, db } = connectDatabase({
    connection: server.database.url,
    max_connections: 1,
    log: silentLog(),
  })
  const loaded = await loadWireFlags(db, environment_id)
  await close()
  expect(loaded?.flags.map(({ key }) => key)).toEqual(keys.filter((key) => key !== 'A-0').sort())
})
