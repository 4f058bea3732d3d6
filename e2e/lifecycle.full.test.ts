import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../packages/server/test/harness/eventually.ts'
import { readStream } from '../packages/server/test/harness/read-stream.ts'
import { bearer, callApi, environmentOf, patchFlag, putFlag, signIn } from './harness/call-api.ts'
import { freePort } from './harness/free-port.ts'
import { openGate } from './harness/open-gate.ts'
import { openRawRequest } from './harness/open-raw-request.ts'
import { openStage, type Stage } from './harness/open-stage.ts'
import { type ExternalPostgres, findEmbeddedPostgres, startPostgres } from './harness/start-postgres.ts'
import { startSdkClient } from './harness/start-sdk-client.ts'
import { runServer, SDK_KEY, startServer } from './harness/start-server.ts'

let postgres: ExternalPostgres
let stage: Stage

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())
beforeEach(() => {
  stage = openStage()
})

describe('SIGTERM', () => {
  test('SIGTERM ends streams with their last chunk and stops the embedded database, with exit code 0', async () => {
    const dataDir = stage.folder('data')
    const server = await startServer(stage, { dataDir })
    const stream = await openRawRequest(server.url, 'GET', '/stream', bearer(SDK_KEY))
    await stream.until(/event: ready/)
    const { pid } = await findEmbeddedPostgres(dataDir)

    expect(await server.stop()).toBe(0)

    await stream.ended
    expect(stream.text().endsWith('\r\n0\r\n\r\n')).toBe(true)
    expect(existsSync(join(dataDir, 'postgresql', 'postmaster.pid'))).toBe(false)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('SIGTERM stops the embedded database in spite of connections that are silent or never finish', async () => {
    const dataDir = stage.folder('data')
    const server = await startServer(stage, { dataDir })
    const silent = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined)
    await once(silent, 'connect')
    await openRawRequest(server.url, 'POST', '/api/auth/login', {
      'content-type': 'application/json',
      'content-length': '100',
    })
    const { pid } = await findEmbeddedPostgres(dataDir)

    expect(await server.stop()).toBe(0)

    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    silent.destroy()
  })

  test('SIGTERM during the start stops the server with exit code 0', async () => {
    const dataDir = stage.folder('data')
    await (await startServer(stage, { dataDir })).stop()
    const server = runServer(stage, { dataDir })
    await eventually(() => existsSync(join(dataDir, 'postgresql', 'postmaster.pid')))

    server.kill('SIGTERM')

    expect(await server.exited).toBe(0)
    expect(existsSync(join(dataDir, 'postgresql', 'postmaster.pid'))).toBe(false)
  })

  test('SIGTERM lets a running request finish, and accepts no new one', async () => {
    const server = await startServer(stage, { databaseUrl: await postgres.createDatabase() })
    const environment_id = await environmentOf(server.url)
    const body = JSON.stringify({ key: 'written-while-draining', is_enabled: true })
    const request = await openRawRequest(server.url, 'POST', `/api/environments/${environment_id}/flags`, {
      ...bearer(SDK_KEY),
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      expect: '100-continue',
    })
    // The server has read the head and waits for the body.
    await request.until(/HTTP\/1\.1 100 Continue/)

    server.kill('SIGTERM')
    await eventually(() =>
      callApi(server.url, 'GET', '/health').then(
        () => false,
        () => true,
      ),
    )
    request.write(body)

    await request.ended
    expect(request.text()).toMatch(/HTTP\/1\.1 200 OK/)
    expect(request.text()).toContain('"key":"written-while-draining"')
    expect(await server.exited).toBe(0)
  })

  test('SIGTERM of a server with a connected SDK leaves the SDK its last flags, and it reconnects', async () => {
    const options = { databaseUrl: await postgres.createDatabase(), port: await freePort() }
    const first = await startServer(stage, options)
    await putFlag(first.url, await environmentOf(first.url), { key: 'steady' })
    const sdk = startSdkClient(stage, { url: first.url })
    await eventually(async () => (await sdk.evaluate('steady', 'anna')).value === true)

    expect(await first.stop()).toBe(0)
    await eventually(async () => (await sdk.status()).state !== 'live')
    expect(await sdk.evaluate('steady', 'anna')).toMatchObject({ value: true })

    await startServer(stage, options)
    await eventually(async () => (await sdk.status()).state === 'live')
  })
})

describe('a second server on the same DATA_DIR', () => {
  test('a second server on the same DATA_DIR is refused with one clear line, and the first one keeps running', async () => {
    const dataDir = stage.folder('data')
    const first = await startServer(stage, { dataDir })

    const second = runServer(stage, { dataDir })

    expect(await second.exited).toBe(1)
    expect(linesOf(second.errors())).toHaveLength(1)
    expect(second.errors()).toContain(dataDir)
    expect(await callApi(first.url, 'GET', '/ready')).toMatchObject({ status: 200 })
    const environment_id = await environmentOf(first.url)
    await putFlag(first.url, environment_id, { key: 'still-writable' })
  })
})

describe('while the database is unavailable', () => {
  test.each(['refused', 'silent'] as const)(
    'without the database known keys read flags, the control plane responds 503 with Retry-After, and all recovers (%s)',
    async (how) => {
      // Given a server that reaches its database through a gate
      const gate = await openGate(postgres.socket)
      const { password, pathname, username } = new URL(await postgres.createDatabase())
      const databaseUrl = `postgresql://${username}:${password}@127.0.0.1:${gate.port}${pathname}`
      const server = await startServer(stage, { databaseUrl })
      const environment_id = await environmentOf(server.url)
      await putFlag(server.url, environment_id, { key: 'steady' })
      const admin = await signIn(server.url)
      const stream = await readStream(`${server.url}/stream`, bearer(SDK_KEY))
      await stream.until(({ event }) => event === 'ready')

      // and has open connections to it
      const read = () => callApi(server.url, 'GET', '/api/projects', undefined, admin)
      await Promise.all(Array.from({ length: 20 }, read))

      // When the database becomes unreachable
      gate.shut(how)
      await eventually(async () => (await callApi(server.url, 'GET', '/ready')).status === 503, 20_000)

      // Then liveness, streams and snapshots continue
      expect(await callApi(server.url, 'GET', '/health')).toMatchObject({ status: 200, body: 'OK' })
      expect(stream.ended()).toBe(false)
      const during = await readStream(`${server.url}/stream`, bearer(SDK_KEY))
      await during.until(({ data, event }) => event === 'ready' && data === '1')
      const snapshot = await callApi(server.url, 'GET', '/flags/snapshot')
      expect(snapshot.body).toMatchObject([{ key: 'steady' }])

      // And requests that need the database are refused with a reason
      const path = `/api/environments/${environment_id}/flags/steady`
      const refused = await Promise.all([
        callApi(server.url, 'PATCH', path, { is_enabled: false }),
        read(),
        callApi(server.url, 'GET', '/flags/snapshot', undefined, bearer('sk_live_never_seen_before')),
      ])
      for (const { body, headers, status } of refused) {
        expect(status).toBe(503)
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        expect(body.error).toEqual(expect.any(String))
      }

      // When the database returns, the next write reaches the streams that stayed
      gate.open()
      await eventually(async () => (await callApi(server.url, 'GET', '/ready')).status === 200, 30_000)
      await patchFlag(server.url, environment_id, 'steady', { description: 'after' })
      for (const open of [stream, during]) {
        await open.until(({ data, event }) => event === 'update' && data.flag.description === 'after')
        open.close()
      }
    },
  )

  test('the server restarts an embedded database that ends unexpectedly', async () => {
    const dataDir = stage.folder('data')
    const server = await startServer(stage, { dataDir })
    const environment_id = await environmentOf(server.url)
    await putFlag(server.url, environment_id, { key: 'steady' })
    const { pid } = await findEmbeddedPostgres(dataDir)

    process.kill(pid, 'SIGKILL')

    await eventually(async () => (await findEmbeddedPostgres(dataDir)).pid !== pid, 30_000)
    await eventually(() => patchFlag(server.url, environment_id, 'steady', { description: 'after' }), 30_000)
    expect((await callApi(server.url, 'GET', '/ready')).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})

test('a server that starts before its database waits for it', async () => {
  const gate = await openGate(postgres.socket)
  const { password, pathname, username } = new URL(await postgres.createDatabase())
  gate.shut('refused')
  const server = runServer(stage, {
    databaseUrl: `postgresql://${username}:${password}@127.0.0.1:${gate.port}${pathname}`,
  })
  await server.line(/"reason":"[^"]+".*not reachable yet/)
  gate.open()
  await server.line(/^Burgee is listening/)
})

test('with LOG_FORMAT=json every line of the output is JSON, the address and the setup link as well', async () => {
  const env = { LOG_FORMAT: 'json', SETUP_ADMIN_EMAIL: '', SETUP_ADMIN_PASSWORD: '', SETUP_SDK_KEY: '' }
  const server = runServer(stage, { databaseUrl: await postgres.createDatabase(), env })
  await server.line(/setup\?token=/)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)

  const lines = server.output().trim().split('\n')
  const texts = lines.map((line) => String(JSON.parse(line).msg))
  expect(texts.filter((text) => text.startsWith('Burgee is listening on http://'))).toHaveLength(1)
  expect(texts.at(-2)).toMatch(/^Set up Burgee: http:/)
  expect(texts.at(-1)).toBe('shutting down')
})

describe('a start that cannot succeed', () => {
  test('a failed start names every invalid setting at once, with secrets masked', async () => {
    const server = runServer(stage, {
      databaseUrl: 'postgresql://localhost/burgee',
      env: {
        PORT: 'eighty',
        COOKIE_SECURE: 'perhaps',
        LOG_LEVEL: 'loud',
        SESSION_SECRET: 'too-short-secret',
      },
    })
    expect(await server.exited).toBe(1)
    for (const name of ['PORT', 'COOKIE_SECURE', 'LOG_LEVEL', 'SESSION_SECRET']) {
      expect(server.errors()).toContain(name)
    }
    expect(server.errors()).toContain('eighty')
    expect(server.output()).not.toContain('too-short-secret')
    expect(server.output()).not.toMatch(/^ +at /m)
  })

  test('a failed start names the file of certificates that it cannot read', async () => {
    const databaseUrl = 'postgresql://localhost/burgee?sslmode=verify-full&sslrootcert=/missing/ca.pem'
    const server = runServer(stage, { databaseUrl })
    expect(await server.exited).toBe(1)
    expect(linesOf(server.errors())).toEqual([expect.stringMatching(/sslrootcert .* \/missing\/ca\.pem/)])
  })

  test('a failed start reports in one line that the port is in use, and leaves no database running', async () => {
    const taken = createServer().listen(0)
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const dataDir = stage.folder('data')

    const server = runServer(stage, { dataDir, port })

    expect(await server.exited).toBe(1)
    expect(linesOf(server.errors())).toHaveLength(1)
    expect(server.errors()).toContain(String(port))
    expect(existsSync(join(dataDir, 'postgresql', 'postmaster.pid'))).toBe(false)
  })
})

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')
