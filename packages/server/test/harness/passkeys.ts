import { cookieNamed } from './second-factors.ts'
import { createAuthenticator, type Deviation, type SoftwareAuthenticator } from './software-authenticator.ts'
import type { Answer, As, TestServer } from './start-test-server.ts'

type Server = Pick<TestServer, 'call'>

export const PASSKEY_ORIGIN = 'https://flags.example.com'
/** The settings of a server whose passkeys belong to `PASSKEY_ORIGIN`. */
export const PASSKEY_ENV = { PUBLIC_URL: PASSKEY_ORIGIN }

export const startPasskey = (server: Server, as: As, headers = {}): Promise<Answer> =>
  server.call({ method: 'POST', path: '/api/auth/factors/passkeys/options', as, headers })

/** Creates a passkey on an authenticator, and sends it as the caller. */
export async function sendPasskey(
  server: Server,
  as: As,
  authenticator: SoftwareAuthenticator,
  deviation: Deviation = {},
): Promise<Answer> {
  const { body: options, status } = await startPasskey(server, as)
  if (status !== 200) throw new Error(`no options: ${JSON.stringify(options)}`)
  const body = { name: 'Test device', credential: authenticator.create(options, deviation) }
  return server.call({ path: '/api/auth/factors/passkeys', body, as })
}

/** An account's passkey: its authenticator, and its id in paths. */
export interface AddedPasskey {
  readonly authenticator: SoftwareAuthenticator
  readonly id: number
  readonly recoveryCodes: readonly string[]
}

/** Adds a passkey to the caller's account. */
export async function addPasskey(
  server: Server,
  as: As,
  authenticator = createAuthenticator({ origin: PASSKEY_ORIGIN }),
): Promise<AddedPasskey> {
  const { body, status } = await sendPasskey(server, as, authenticator)
  if (status !== 200) throw new Error(`not added: ${JSON.stringify(body)}`)
  return { authenticator, id: body.passkey.id, recoveryCodes: body.recovery_codes }
}

/** Returns options of a login; `cookie` is that of the first step. */
export const loginOptions = (server: Server, purpose = 'login', cookie?: string): Promise<Answer> =>
  server.call({
    path: '/api/auth/login/passkey/options',
    body: { purpose },
    as: 'anonymous',
    ...(cookie !== undefined && { headers: { cookie } }),
  })

export const sendLogin = (server: Server, passkey: unknown): Promise<Answer> =>
  server.call({ path: '/api/auth/login/passkey', body: { passkey }, as: 'anonymous' })

/** Signs in with a passkey and without a password. */
export async function logInWithPasskey(
  server: Server,
  authenticator: SoftwareAuthenticator,
  deviation: Deviation = {},
): Promise<Answer & { readonly cookie: string }> {
  const { body: options } = await loginOptions(server)
  const answer = await sendLogin(server, authenticator.sign(options, deviation))
  return { ...answer, cookie: cookieNamed('lg_session', answer) }
}
