import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { type Context, Provider } from 'oidc-provider'

export const CLIENT_ID = 'burgee'
export const CLIENT_SECRET = 'client-secret-of-the-tests-0123456789'
const OTHER_CLIENT = { client_id: 'another-app', client_secret: 'another-client-secret-0123456789' }

/** The claims of a person, beside `sub`. */
export type PersonClaims = Readonly<Record<string, unknown>>

/** The lies of the provider. Every part is optional. */
interface Lies {
  /** Returns other claims of ID tokens, which the provider signs. */
  idToken?: ((claims: JWTPayload) => JWTPayload) | undefined
  /** Signs ID tokens with a key that the provider does not publish. */
  isForged?: boolean
  /** Returns another address for redirects to the callback. */
  callback?: (url: URL) => URL
  /** Answers in place of the provider; true when it did. */
  answer?: (request: IncomingMessage, response: ServerResponse) => boolean
}

export interface IdentityProviderServer {
  readonly issuer: string
  /** The address at which it listens: the issuer, unless another one was given. */
  readonly address: string
  /** The people, by their name for the login and subject. They may be changed at any time. */
  readonly people: Map<string, PersonClaims>
  readonly lies: Lies
  /** The paths of the requests so far. */
  readonly requests: string[]
  /** Accepts Burgee at this address as its client. */
  register(publicUrl: string): void
  /** Replaces the signing key. Tokens are signed with the new one from now on. */
  rotateKey(): Promise<void>
  /** Signs a token as the provider. */
  sign(claims: JWTPayload, header?: { readonly typ?: string }): Promise<string>
  /** Stops accepting connections, and ends those that are open. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

interface Options {
  /** True when ID tokens have all claims. By default only the user info has them. */
  readonly hasClaimsInIdToken?: boolean
  readonly people?: Readonly<Record<string, PersonClaims>>
  /** The address at which a proxy in front of the provider is known. */
  readonly issuer?: string
}

/** Starts a real OpenID Connect provider on a free port. A name is enough to sign in. */
export async function startIdentityProvider(options: Options = {}): Promise<IdentityProviderServer> {
  const people = new Map(Object.entries(options.people ?? {}))
  const lies: Lies = {}
  const requests: string[] = []
  let key = await newKey(1)
  let handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  let registered = ''
  const server = createServer((request, response) => {
    requests.push(new URL(request.url ?? '', 'http://localhost').pathname)
    if (lies.answer?.(request, response)) return
    if (handle) handle(request, response)
    else response.writeHead(503).end()
  })
  const port = await listen(server, 0)
  const address = `http://localhost:${port}`
  const issuer = options.issuer ?? address
  const open = () => {
    const provider = new Provider(issuer, {
      ...configuration(registered, options.hasClaimsInIdToken === true),
      jwks: { keys: [key.jwk] },
      findAccount: (_context: unknown, id: string) =>
        people.has(id) ? { accountId: id, claims: () => ({ sub: id, ...people.get(id) }) } : undefined,
    })
    provider.proxy = options.issuer !== undefined
    provider.use(async (context, next) => {
      await next()
      await lie(context, lies, sign)
    })
    handle = provider.callback()
  }
  const sign: IdentityProviderServer['sign'] = async (claims, { typ = 'JWT' } = {}) => {
    const { privateKey } = lies.isForged ? await newKey(key.number) : key
    const header = { alg: 'ES256', kid: key.jwk.kid, typ }
    return new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
  }
  const goDown = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return {
    issuer,
    address,
    people,
    lies,
    requests,
    register(publicUrl) {
      registered = publicUrl
      open()
    },
    async rotateKey() {
      key = await newKey(key.number + 1)
      open()
    },
    sign,
    goDown,
    comeBack: async () => {
      await listen(server, port)
    },
    close: async () => {
      if (server.listening) await goDown()
    },
  }
}

async function newKey(number: number) {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: `key-${number}`, use: 'sig', alg: 'ES256' }
  return { number, privateKey, jwk }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const configuration = (publicUrl: string, hasClaimsInIdToken: boolean) => ({
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: [`${publicUrl}/api/auth/sso/callback`],
      post_logout_redirect_uris: [`${publicUrl}/login`],
      backchannel_logout_uri: `${publicUrl}/api/auth/sso/backchannel-logout`,
      backchannel_logout_session_required: true,
      id_token_signed_response_alg: 'ES256',
      require_auth_time: true,
    },
    { ...OTHER_CLIENT, redirect_uris: [`${publicUrl}/other`], id_token_signed_response_alg: 'ES256' },
  ],
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'groups', '_claim_names'],
  },
  conformIdTokenClaims: !hasClaimsInIdToken,
  cookies: { keys: ['cookie-key-of-the-tests'] },
  features: { backchannelLogout: { enabled: true } },
  ttl: {
    AccessToken: 600,
    AuthorizationCode: 60,
    IdToken: 600,
    Interaction: 600,
    Session: 3_600,
    Grant: 3_600,
  },
})

/** Changes what the provider is about to send. */
async function lie(context: Context, lies: Lies, sign: IdentityProviderServer['sign']): Promise<void> {
  const { body, path } = context
  const location = context.response.get('location')
  if (lies.callback && location.includes('/api/auth/sso/callback'))
    context.redirect(lies.callback(new URL(location)).href)
  if (path !== '/token' || typeof body !== 'object' || body === null || !('id_token' in body)) return
  if (!lies.idToken && !lies.isForged) return
  const claims = decodeJwt(String(body.id_token))
  body.id_token = await sign(lies.idToken ? lies.idToken(claims) : claims)
}
