import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toServerFlag } from '../../../src/kernel/wire-flag.ts'
import { loadWireFlags } from '../../../src/targeting/flags/index.ts'
import { METRICS_TOKEN } from '../../fuzz/build-draft.ts'
import { CALLER_KINDS } from '../../fuzz/callers.ts'
import { checkConsistency } from '../../fuzz/check-consistency.ts'
import { createChecker } from '../../fuzz/check-response.ts'
import { createRandom } from '../../fuzz/random.ts'
import { RAW_REQUESTS, sendRaw } from '../../fuzz/raw-requests.ts'
import { type FuzzPlan, type FuzzRun, LONE_ENDPOINTS, runFuzz } from '../../fuzz/run-fuzz.ts'
import { runSetupFuzz } from '../../fuzz/run-setup-fuzz.ts'
import { type EnvironmentWatch, watchEnvironment } from '../../fuzz/watch-environment.ts'
import { createWorld, FOREIGN_CANARY, type World } from '../../fuzz/world.ts'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const IS_FULL = process.env.BURGEE_FULL === '1'
const { BURGEE_FUZZ_ONLY, BURGEE_FUZZ_SEED } = process.env
const SERVER_COUNT = IS_FULL ? 3 : 1
const PER_PAIR = Number(process.env.BURGEE_FUZZ_PER_PAIR ?? (IS_FULL ? 240 : 3))
const PLAN: FuzzPlan = {
  seed: Number(BURGEE_FUZZ_SEED ?? (IS_FULL ? Date.now() % 1_000_000 : 1)),
  perPair: PER_PAIR,
  further: IS_FULL ? PER_PAIR * 350 : 200,
  ...(BURGEE_FUZZ_ONLY !== undefined && { only: BURGEE_FUZZ_ONLY.split(',').map(Number) }),
}
const PATIENCE_MS = IS_FULL ? 3_600_000 : 240_000

const SETUP_TOKEN = 'a-setup-token-for-the-fuzz'
const SESSION_SECRET = 'a-session-secret-for-the-fuzz-of-32-characters'
const ENV = { SESSION_SECRET, TRUST_PROXY: 'true', LOG_LEVEL: 'warn', METRICS_TOKEN }

let servers: TestServer[]
let world: World
let watches: { environment_id: string; watch: EnvironmentWatch }[]
let run: FuzzRun
const strays: string[] = []
const onStray = (reason: unknown) => strays.push(String(reason))

beforeAll(async () => {
  process.on('unhandledRejection', onStray)
  const first = await startTestServer({ env: ENV })
  servers = [first]
  while (servers.length < SERVER_COUNT) {
    servers.push(await startTestServer({ env: ENV, database: first.database }))
  }
  world = await createWorld(first, SESSION_SECRET)
  watches = await Promise.all(
    servers.flatMap(({ url }) =>
      world.environmentIds.map(async (environment_id) => {
        const { project_id, seeds } = world
        const { key } = await seeds.addKey({
          project_id,
          environment_id,
          kind: 'server',
          name: 'fixed-watch',
        })
        return { environment_id, watch: watchEnvironment(url, key) }
      }),
    ),
  )
  run = await runFuzz(servers, world, PLAN)
  process.stdout.write(`${run.tally.report()}\n`)
}, PATIENCE_MS)

afterAll(async () => {
  process.off('unhandledRejection', onStray)
  for (const { watch } of watches ?? []) watch.close()
  for (const server of [...(servers ?? [])].reverse()) await server.close()
})

describe('fuzzing every endpoint with every kind of credential', () => {
  test('every response is declared: never a 5xx, never internals, always the declared body', () => {
    expect(run.tally.findings.map(({ about, problem }) => `${about}: ${problem}`)).toEqual([])
  })

  test('at least a fifth of the requests is successful', () => {
    expect(run.tally.successes()).toBeGreaterThanOrEqual(run.tally.total() / 5)
    expect(run.tally.fewest()).toBeGreaterThanOrEqual(PLAN.perPair)
  })

  test.each(LONE_ENDPOINTS)('%s, whose things no other request creates, is successful', (name) => {
    expect(run.tally.successesOf(name)).toBeGreaterThan(0)
  })

  test('no request ends the server or logs an error', async () => {
    for (const server of servers) {
      const health = await server.call({ path: '/health', as: 'anonymous' })
      expect(health.status).toBe(200)
      expect(errorsOf(server)).toEqual([])
    }
    expect(strays).toEqual([])
    expect('polluted' in {}).toBe(false)
  })

  test('no request ends a credential that it was not meant to end', async () => {
    const random = createRandom(PLAN.seed)
    for (const kind of CALLER_KINDS.filter((kind) => kind !== 'anonymous' && kind !== 'garbage')) {
      const { headers } = world.pickCaller(kind, random)
      const answer = await servers[0]?.call({
        path: `/api/environments/${world.environmentIds[0]}/flags`,
        as: 'anonymous',
        headers,
      })
      expect({ kind, status: answer?.status }).toEqual({ kind, status: kind === 'client_key' ? 403 : 200 })
    }
  })

  test('undeclared parameters disclose nothing of another project', async () => {
    const { foreign, project_id } = world
    const [environment_id = ''] = world.environmentIds
    const { headers } = world.pickCaller('session_viewer', createRandom(PLAN.seed))
    const { environment_id: there } = foreign
    const smuggled = `environment_id=${there}&env_id=${there}&project_id=${foreign.project_id}&key=${foreign.key}`
    // The fuzz may have deleted any of the flags that it began with.
    const [first] = servers
    const loaded = first && (await loadWireFlags(first.database.db, environment_id))
    const key = loaded?.flags[0]?.key
    for (const [path, own] of [
      [`/api/environments/${environment_id}/flags/${key}/history`, 200],
      [`/api/projects/${project_id}/compare?source=${there}&target=${there}`, 422],
    ] as const) {
      const url = `${path}${path.includes('?') ? '&' : '?'}${smuggled}`
      const answer = await first?.call({ path: url, as: 'anonymous', headers })
      expect(answer?.status, url).toBe(own)
      expect(JSON.stringify(answer?.body)).not.toContain(FOREIGN_CANARY)
    }
  })

  test('revisions have no gaps, each write an audit entry, and each project one default environment', async () => {
    const [first] = servers
    const { writesAcknowledged } = run
    const expected = { writesAcknowledged, foreignProjectId: world.foreign.project_id }
    expect(first && (await checkConsistency(first.database, expected))).toEqual([])
  })

  test('streams end with what the database has', async () => {
    for (const { environment_id, watch } of watches) {
      const [first] = servers
      const loaded = first && (await loadWireFlags(first.database.db, environment_id))
      const stored = Object.fromEntries((loaded?.flags ?? []).map((flag) => [flag.key, toServerFlag(flag)]))
      await eventually(() => watch.flags.size === Object.keys(stored).length)
      expect(Object.fromEntries(watch.flags)).toEqual(JSON.parse(JSON.stringify(stored)))
    }
  })
})

describe('fuzzing the set-up wizard', () => {
  test('the wizard responds as declared to any request', async () => {
    const server = await startTestServer({ setUp: false, env: { ...ENV, SETUP_TOKEN } })
    const count = IS_FULL ? 3_000 : 100
    expect(await runSetupFuzz(server.url, { seed: PLAN.seed, count, setup_token: SETUP_TOKEN })).toEqual([])
    expect(errorsOf(server)).toEqual([])
    await server.close()
  })
})

describe('bytes that are hardly HTTP', () => {
  test.each(Object.entries(RAW_REQUESTS))(
    '%s gets a response or is closed, never a 5xx',
    async (_name, bytes) => {
      const [server] = servers
      const answer = await sendRaw(server?.url ?? '', bytes)
      expect(answer).not.toMatch(/^HTTP\/1\.1 5/m)
      expect(answer).not.toMatch(/node:internal|\.ts:\d/)
      expect((await server?.call({ path: '/health', as: 'anonymous' }))?.status).toBe(200)
    },
  )
})

describe('the check of fuzz responses', () => {
  const check = createChecker()
  const request = { method: 'GET', path: '/api/projects', headers: {}, body: undefined }
  const project = {
    id: '00000000-0000-4000-8000-000000000000',
    name: 'Shop',
    slug: 'shop',
    environment_count: 3,
    member_count: 0,
    created_at: '2026-01-01T00:00:00.000Z',
  }
  const answered = (status: number, body: unknown) =>
    check(
      request,
      {
        status,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        took_ms: 1,
      },
      [],
    )

  test('the check accepts declared responses', () => {
    expect(answered(200, [project])).toEqual([])
    expect(answered(401, { error: 'Sign in.' })).toEqual([])
  })

  test.each([
    ['a fault of the server', 500, { error: 'Something went wrong.' }],
    ['a status that is not declared', 409, { error: 'In use.' }],
    ['a body of another shape', 200, [{ ...project, name: null }]],
    ['a field that is not declared', 200, [{ ...project, password_hash: 'x' }]],
    ['an error without its message', 401, { message: 'Sign in.' }],
    ['an error with a stack', 403, { error: 'Error\n    at check (/srv/app.js:10:3)' }],
    ['an error with SQL', 403, { error: 'select id from users' }],
    ['no word of when to come again', 503, { error: 'Overloaded.' }],
  ])('the check finds %s', (_what, status, body) => {
    expect(answered(status, body)).toHaveLength(1)
  })
})

const errorsOf = (server: TestServer): string[] =>
  server
    .logged()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
    .slice(0, 20)
