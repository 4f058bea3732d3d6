import { beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../packages/server/test/harness/eventually.ts'
import {
  bearer,
  callApi,
  createKeyFor,
  environmentOf,
  patchFlag,
  putFlag,
  signIn,
} from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { freePort } from './harness/free-port.ts'
import { openStage, type Stage } from './harness/open-stage.ts'
import { skipBecause } from './harness/skip-because.ts'
import { startRedis, whyNoRedis } from './harness/start-redis.ts'
import { startSdkClient } from './harness/start-sdk-client.ts'
import { ADMIN, type RunningServer, type ServerOptions, startServer } from './harness/start-server.ts'
import { withDatabase } from './harness/with-database.ts'
import { writeContinuously } from './harness/write-continuously.ts'

const COUNTER = 'counter'

let stage: Stage
let databaseUrl: string

beforeEach(async () => {
  stage = openStage()
  databaseUrl = await cloneDatabase()
})

describe('a write on one instance reaches the SDKs of another', () => {
  test('a write reaches the SDKs of another instance through the database, without Redis', async () => {
    const [left, right] = await startTwo({})
    await expectSync(left, right)
    await expectSync(right, left)
  })

  test('a write reaches the SDKs of another instance through Redis', async (context) => {
    const reason = whyNoRedis()
    if (reason) skipBecause(context, reason)
    const { url: redisUrl } = await startRedis(stage)
    const [left, right] = await startTwo({ redisUrl })
    await expectSync(left, right)
    await expectSync(right, left)
  })

  test('a write reaches the SDKs of another instance although Redis is down at the start and unstable', async (context) => {
    const reason = whyNoRedis()
    if (reason) skipBecause(context, reason)
    const port = await freePort()
    const [left, right] = await startTwo({ redisUrl: `redis://127.0.0.1:${port}` })
    await expectSync(left, right)
    const redis = await startRedis(stage, port)
    await expectSync(left, right)
    redis.kill('SIGKILL')
    await redis.exited
    await expectSync(left, right)
  })
})

test('killing Redis during many writes loses none of them on another instance', async (context) => {
  const reason = whyNoRedis()
  if (reason) skipBecause(context, reason)
  const redis = await startRedis(stage)
  const [left, right] = await startTwo({ redisUrl: redis.url })
  const environment_id = await environmentOf(left.url)
  const counters = Array.from({ length: 8 }, (_, index) => `counter-${index + 1}`)
  for (const key of counters) await putCounter(left.url, environment_id, key)
  const sdk = startSdkClient(stage, { url: right.url, watch: counters })
  await eventually(async () => (await sdk.status()).isReady)

  const writer = writeContinuously(left.url, environment_id, counters)
  await eventually(() => writer.acknowledged.length > 200)
  redis.kill('SIGKILL')
  await redis.exited
  const atKill = writer.acknowledged.length
  await eventually(() => writer.acknowledged.length > atKill + 200)
  await writer.stop()

  const last = new Map(writer.acknowledged.map(({ flag_key, value }) => [flag_key, value]))
  await eventually(async () => {
    const { latest } = await sdk.latest()
    return counters.every((key) => latest[key] === last.get(key))
  })
  expect(writer.unanswered()).toBe(0)
  // The stream continued: no new bootstrap was needed.
  const { ready, seen } = await sdk.observed()
  expect(ready).toBe(1)
  for (const key of counters) {
    const values = seen[key] ?? []
    expect([...values].sort((one, other) => one - other)).toEqual(values)
  }
})

describe('revoking a key on one instance ends its streams on the other', () => {
  test('revoking a key ends its streams on another instance while the bus works', async () => {
    const [left, right] = await startTwo({})
    await expectRevocation(left, right)
  })

  test('revoking a key ends its streams on another instance while the bus is down', async (context) => {
    const reason = whyNoRedis()
    if (reason) skipBecause(context, reason)
    const redis = await startRedis(stage)
    const [left, right] = await startTwo({ redisUrl: redis.url })
    redis.kill('SIGKILL')
    await redis.exited
    await expectRevocation(left, right)
  })
})

test('failed logins are counted over all instances, and the lock applies on all', async () => {
  const [left, right] = await startTwo({})
  const attempt = (server: RunningServer, password: string) =>
    callApi(server.url, 'POST', '/api/auth/login', { email: ADMIN.email, password }, {})

  const answers = []
  for (const server of [left, right, left, right, left]) answers.push(await attempt(server, 'wrong password'))
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  expect(answers.map(({ body }) => body.attempts_remaining)).toEqual([4, 3, 2, 1, 0])

  for (const server of [left, right]) {
    const locked = await attempt(server, ADMIN.password)
    expect(locked.status).toBe(429)
    expect(locked.body.retry_after_seconds).toBe(900)
  }
})

test('instances that start together on a fresh database migrate it once and share one set-up', async () => {
  const fresh = await cloneDatabase('empty')
  const servers = await Promise.all([1, 2, 3].map(() => startServer(stage, { databaseUrl: fresh })))

  const environmentIds = await Promise.all(servers.map(({ url }) => environmentOf(url)))
  expect(new Set(environmentIds).size).toBe(1)
  for (const { url } of servers) {
    const projects = await callApi(url, 'GET', '/api/projects', undefined, await signIn(url))
    expect(projects.body).toHaveLength(1)
  }
  const count = (table: string) =>
    withDatabase(
      fresh,
      async (pool) => (await pool.query(`select count(*)::int as n from ${table}`)).rows[0].n,
    )
  expect(await count('users')).toBe(1)
  expect(await count('environments')).toBe(3)
  expect(servers.filter((server) => /migrated the database/.test(server.output()))).toHaveLength(1)
})

test('a set-up token that one instance prints opens the wizard on every instance', async () => {
  const wizard = { SETUP_ADMIN_EMAIL: '', SETUP_ADMIN_PASSWORD: '', SETUP_SDK_KEY: '' }
  const [left, right] = await startTwo({ env: wizard })
  const printed = await Promise.all([left, right].map((server) => server.line(/\/setup\?token=/)))
  const [token, other] = printed.map((line) => /token=(\S+)/.exec(line)?.[1] ?? '')
  expect(token).toBe(other)

  const body = { workspace_name: 'W', project_name: 'P', admin: { name: 'Ada', ...ADMIN } }
  const answers = await Promise.all(
    [left, right].map(({ url }) => callApi(url, 'POST', '/api/setup', body, bearer(token ?? ''))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

async function startTwo(options: ServerOptions): Promise<[RunningServer, RunningServer]> {
  const first = await startServer(stage, { databaseUrl, ...options })
  return [first, await startServer(stage, { databaseUrl, ...options })]
}

/** Makes some writes on one instance, each seen by an SDK of the other before the next. */
async function expectSync(written: RunningServer, read: RunningServer): Promise<void> {
  const environment_id = await environmentOf(written.url)
  await putCounter(written.url, environment_id, COUNTER)
  const sdk = startSdkClient(stage, { url: read.url })
  await eventually(async () => (await sdk.evaluate(COUNTER, 'anna')).value === 0)
  for (let value = 1; value <= 3; value += 1) {
    await patchFlag(written.url, environment_id, COUNTER, { default_value: value })
    await eventually(async () => (await sdk.evaluate(COUNTER, 'anna')).value === value)
  }
}

async function putCounter(url: string, environment_id: string, key: string): Promise<void> {
  await putFlag(url, environment_id, { key, flag_type: 'integer', default_value: 0 })
}

async function expectRevocation(left: RunningServer, right: RunningServer): Promise<void> {
  const { id, key, project_id } = await createKeyFor(left.url, 'production')
  const sdk = startSdkClient(stage, { url: right.url, sdkKey: key })
  await eventually(async () => (await sdk.status()).state === 'live')

  const path = `/api/projects/${project_id}/keys/${id}`
  expect(await callApi(left.url, 'DELETE', path, undefined, await signIn(left.url))).toMatchObject({
    status: 204,
  })

  // Its stream ends, and it cannot reconnect.
  await eventually(async () => (await sdk.status()).state === 'unauthorized')
  const snapshot = await callApi(right.url, 'GET', '/flags/snapshot', undefined, bearer(key))
  expect(snapshot.status).toBe(401)
}
