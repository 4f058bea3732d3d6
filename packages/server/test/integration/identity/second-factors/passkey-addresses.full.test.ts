import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../../harness/manual-clock.ts'
import {
  addPasskey,
  logInWithPasskey,
  loginOptions,
  PASSKEY_ENV,
  PASSKEY_ORIGIN,
  sendLogin,
  startPasskey,
} from '../../../harness/passkeys.ts'
import { createAuthenticator } from '../../../harness/software-authenticator.ts'
import { ADMIN, startTestServer, type TestServer } from '../../../harness/start-test-server.ts'

const SSO = {
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_CLIENT_ID: 'burgee',
  OIDC_CLIENT_SECRET: 'a-client-secret-of-the-tests',
  PASSWORD_LOGIN: 'off',
}

async function withServer(
  settings: Parameters<typeof startTestServer>[0],
  run: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await startTestServer(settings)
  try {
    await run(server)
  } finally {
    await server.close()
  }
}
const originsOf = async (server: TestServer) =>
  (await server.call({ path: '/api/auth/sso', as: 'anonymous' })).body.passkey_origins

/** Requests the options of a login with another header Host, which `fetch` does not send. */
async function beginAs(server: TestServer, host: string) {
  const headers = { host, 'content-type': 'application/json' }
  const sent = request(`${server.url}/api/auth/login/passkey/options`, { method: 'POST', headers })
  sent.end('{"purpose":"login"}')
  const [response]: IncomingMessage[] = await once(sent, 'response')
  if (!response) throw new Error('no response')
  return { status: response.statusCode, text: await text(response) }
}

describe('the address of passkeys', () => {
  test('is that of PUBLIC_URL', () =>
    withServer({ env: PASSKEY_ENV }, async (server) => {
      expect(await originsOf(server)).toEqual([PASSKEY_ORIGIN])
    }))

  test('without https there are none, and the refusal says what to change', () =>
    withServer({ env: { PUBLIC_URL: 'http://flags.example.com' } }, async (server) => {
      expect(await originsOf(server)).toEqual([])
      const begun = await startPasskey(server, 'admin')
      expect(begun.status).toBe(409)
      expect(begun.body.error).toContain('PUBLIC_URL is http or an IP address')
      expect((await loginOptions(server)).status).toBe(409)
    }))

  test('without PUBLIC_URL they work on the same machine only', () =>
    withServer({}, async (server) => {
      const { port } = new URL(server.url)
      expect(await originsOf(server)).toEqual([`http://localhost:${port}`, `https://localhost:${port}`])
      const local = createAuthenticator({ origin: server.url })
      await addPasskey(server, 'admin', local)
      expect((await logInWithPasskey(server, local)).status).toBe(200)

      const other = await beginAs(server, 'flags.example.com')
      expect(other.status).toBe(409)
      expect(other.text).toContain('set PUBLIC_URL to an https address')
      expect((await beginAs(server, `127.0.0.1:${port}`)).status).toBe(409)
    }))
})

describe('limits', () => {
  test('an address gets 300 challenges a minute', () =>
    withServer({ env: PASSKEY_ENV, clock: createManualClock() }, async (server) => {
      const begin = () => loginOptions(server)
      const statuses = new Set<number>()
      for (let group = 0; group < 30; group += 1) {
        for (const { status } of await Promise.all(Array.from({ length: 10 }, begin))) statuses.add(status)
      }
      expect([...statuses]).toEqual([200])

      const refused = await begin()
      expect(refused.status).toBe(429)
      expect(refused.body.retry_after_seconds).toBe(60)
    }))

  test('wrong responses count as failed logins of their address', () =>
    withServer({ env: PASSKEY_ENV, clock: createManualClock() }, async (server) => {
      const { body: options } = await loginOptions(server)
      const foreign = createAuthenticator({ origin: PASSKEY_ORIGIN }).sign(options)
      for (let group = 0; group < 30; group += 1) {
        await Promise.all(Array.from({ length: 10 }, () => sendLogin(server, foreign)))
      }

      expect((await sendLogin(server, foreign)).status).toBe(429)
    }))
})

test('with PASSWORD_LOGIN=off a passkey signs in only where the operator allows the account', () =>
  withServer({ env: { ...PASSKEY_ENV, ...SSO } }, async (server) => {
    const { authenticator } = await addPasskey(server, 'admin')
    const refused = await logInWithPasskey(server, authenticator)
    expect(refused.status).toBe(403)
    expect(refused.body.error).toContain('Passkeys are switched off')

    const { db } = server.database
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', ADMIN.email)
      .executeTakeFirstOrThrow()
    const allowed_until = new Date(Date.now() + 3_600_000).toISOString()
    await db.insertInto('password_exceptions').values({ user_id: id, allowed_until }).execute()
    expect((await logInWithPasskey(server, authenticator)).status).toBe(200)
  }))
