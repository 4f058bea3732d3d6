import { freePort } from '../../../../e2e/harness/free-port.ts'
import { startTestServer, type TestServer } from '../harness/start-test-server.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProviderServer,
  type PersonClaims,
  startIdentityProvider,
} from './start-identity-provider.ts'
import { createVisitor, type Visitor } from './visitor.ts'

export interface SsoServer {
  readonly server: TestServer
  readonly provider: IdentityProviderServer
  /** Logs a person in from beginning to end. */
  logIn(as: string, options?: LogInOptions): Promise<LogIn>
  close(): Promise<void>
}

interface LogInOptions {
  readonly visitor?: Visitor
  readonly decision?: 'allow' | 'refuse'
  /** The query of the start, with its question mark. */
  readonly query?: string
}

/** A login as the browser sees its end. */
export interface LogIn {
  readonly visitor: Visitor
  readonly callback: string
  readonly status: number
  /** The `sso_error` of the login page; null for a login that succeeded. */
  readonly failure: string | null
  readonly text: string
  readonly headers: Headers
  /** The cookie of the session, for `as: { cookie }`; empty when there is none. */
  readonly cookie: string
}

interface Options {
  readonly people?: Readonly<Record<string, PersonClaims>>
  readonly env?: Readonly<Record<string, string>>
  /** The path of `PUBLIC_URL`: `/burgee`. */
  readonly basePath?: string
}

/** Returns the settings with which a server at this address uses the provider. */
export const ssoSettings = (issuer: string, publicUrl: string) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT_ID,
  OIDC_CLIENT_SECRET: CLIENT_SECRET,
  OIDC_LABEL: 'Example ID',
  PUBLIC_URL: publicUrl,
})

/** Starts a server with an identity provider of its own. */
export async function startSsoServer({
  basePath = '',
  env = {},
  people = {},
}: Options = {}): Promise<SsoServer> {
  const provider = await startIdentityProvider({ people })
  const port = await freePort()
  const publicUrl = `http://localhost:${port}${basePath}`
  provider.register(publicUrl)
  const server = await startTestServer({
    env: { PORT: String(port), ...ssoSettings(provider.issuer, publicUrl), ...env },
  })
  return {
    server,
    provider,
    async logIn(as, { decision, query = '', visitor = createVisitor() } = {}) {
      const start = `${publicUrl}/api/auth/sso/start${query}`
      const callback = await visitor.logInAtProvider(start, as, decision)
      return finish(visitor, callback)
    },
    async close() {
      await server.close()
      await provider.close()
    },
  }
}

/** Opens a callback as the browser of a visitor. */
export async function finish(visitor: Visitor, callback: string): Promise<LogIn> {
  const response = await visitor.visit(callback)
  const location = response.headers.get('location')
  const { searchParams } = new URL(location ?? '', callback)
  const session = response.headers.getSetCookie().find((one) => one.startsWith('lg_session='))
  return {
    visitor,
    callback,
    status: response.status,
    failure: searchParams.get('sso_error'),
    text: await response.text(),
    headers: response.headers,
    cookie: session?.split(';')[0] ?? '',
  }
}
