import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createIdentityProvider } from '../../../../src/identity/oidc/identity-provider.ts'
import { newLoginSecrets } from '../../../../src/identity/oidc/login-secrets.ts'
import { SsoRefused } from '../../../../src/identity/oidc/sso-refused.ts'
import { createManualClock, type ManualClock } from '../../../harness/manual-clock.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProviderServer,
  startIdentityProvider,
} from '../../../single-sign-on/start-identity-provider.ts'
import { createVisitor } from '../../../single-sign-on/visitor.ts'

const PUBLIC_URL = 'http://localhost:1'
const GRACE = { email: 'grace@example.com', email_verified: true, name: 'Grace Hopper', groups: ['staff'] }

let server: IdentityProviderServer
let clock: ManualClock

beforeAll(async () => {
  server = await startIdentityProvider({ people: { grace: GRACE } })
  server.register(PUBLIC_URL)
})
afterAll(() => server.close())
beforeEach(() => {
  for (const name of Object.keys(server.lies)) delete server.lies[name as keyof typeof server.lies]
  clock = createManualClock(new Date().toISOString())
})

const create = (change: object = {}) =>
  createIdentityProvider({
    clock,
    config: {
      issuer: server.issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      scopes: 'openid email profile',
      groupsClaim: 'groups',
      label: 'Example ID',
      proxy: {},
      publicUrl: PUBLIC_URL,
      ...change,
    },
  })

/** Signs in at the provider, and redeems the callback. */
async function logIn({ provider = create(), as = 'grace', decision = 'allow' as 'allow' | 'refuse' } = {}) {
  const secrets = newLoginSecrets()
  const start = await provider.authorizationUrl(secrets, { isFresh: false })
  const callback = await createVisitor().logInAtProvider(start, as, decision)
  const { search } = new URL(callback)
  return { provider, search, secrets, redeem: () => provider.redeem(search, secrets) }
}

const failureOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'no failure',
    (error: unknown) => (error instanceof SsoRefused ? error.failure : String(error)),
  )

test('a login gives the subject, the verified e-mail address, the name and the groups', async () => {
  const { redeem } = await logIn()

  expect(await redeem()).toMatchObject({
    identity: {
      issuer: server.issuer,
      subject: 'grace',
      email: 'grace@example.com',
      isEmailVerified: true,
      name: 'Grace Hopper',
      groups: ['staff'],
    },
  })
})

test('a person who refuses consent is access_denied', async () => {
  const { redeem } = await logIn({ decision: 'refuse' })

  expect(await failureOf(redeem())).toBe('access_denied')
})

test('a code can be redeemed once, and only with the verifier of its login', async () => {
  const { redeem } = await logIn()
  await redeem()
  expect(await failureOf(redeem())).toBe('expired')

  const { provider, search, secrets } = await logIn()
  const other = { ...secrets, verifier: newLoginSecrets().verifier }
  expect(await failureOf(provider.redeem(search, other))).toBe('expired')
})

test('another state, another issuer in the callback and an issuer that is missing are refused', async () => {
  const { provider, search, secrets } = await logIn()
  const other = { ...secrets, state: newLoginSecrets().state }
  expect(await failureOf(provider.redeem(search, other))).toBe('invalid_response')

  const mixedUp = new URLSearchParams(search)
  mixedUp.set('iss', 'https://id.attacker.example')
  expect(await failureOf(provider.redeem(`?${mixedUp}`, secrets))).toBe('invalid_response')
  mixedUp.delete('iss')
  expect(await failureOf(provider.redeem(`?${mixedUp}`, secrets))).toBe('invalid_response')
})

const WRONG_CLAIMS: readonly (readonly [string, object])[] = [
  ['another nonce', { nonce: 'another-nonce' }],
  ['another client as audience', { aud: 'another-app' }],
  [
    'two audiences of which the other one is authorized',
    { aud: ['burgee', 'another-app'], azp: 'another-app' },
  ],
  ['one audience, and another authorized party', { azp: 'another-app' }],
  ['another issuer', { iss: 'https://id.attacker.example' }],
  ['no subject', { sub: undefined }],
  ['no expiry', { exp: undefined }],
]

test.each(WRONG_CLAIMS)('an ID token with %s is refused', async (_, change) => {
  server.lies.idToken = (claims) => ({ ...claims, ...change })
  const { redeem } = await logIn()

  expect(await failureOf(redeem())).toBe('invalid_response')
})

test('an ID token with a signature of another key is refused', async () => {
  server.lies.isForged = true
  const { redeem } = await logIn()

  expect(await failureOf(redeem())).toBe('invalid_response')
})

test('a clock that differs by 45 seconds is accepted, and one that differs by minutes is not', async () => {
  for (const seconds of [-45, 45]) {
    server.lies.idToken = (claims) => ({
      ...claims,
      iat: Number(claims.iat) + seconds,
      exp: Number(claims.iat) + seconds + 10,
    })
    const { redeem } = await logIn()
    expect(await failureOf(redeem()), `${seconds} seconds`).toBe('no failure')
  }
  for (const seconds of [-300, 300]) {
    server.lies.idToken = (claims) => ({
      ...claims,
      iat: Number(claims.iat) + seconds,
      exp: Number(claims.iat) + seconds + 10,
    })
    const { redeem } = await logIn()
    expect(await failureOf(redeem()), `${seconds} seconds`).toBe('clock')
  }
})

test('the clock of the server counts, and not that of the machine', async () => {
  clock.advance(20 * 60_000)
  const { redeem } = await logIn()

  expect(await failureOf(redeem())).toBe('clock')
})

test('the first login after the provider has rotated its key succeeds', async () => {
  const provider = create()
  await (await logIn({ provider })).redeem()
  await server.rotateKey()

  const { redeem } = await logIn({ provider })
  expect(await failureOf(redeem())).toBe('no failure')
})

test('a provider that is down fails the login, and the next one succeeds when it is back', async () => {
  const provider = create()
  await server.goDown()
  expect(await failureOf(provider.authorizationUrl(newLoginSecrets(), { isFresh: false }))).toBe(
    'provider_unavailable',
  )
  await server.comeBack()
  const { redeem, search, secrets } = await logIn({ provider })

  await server.goDown()
  expect(await failureOf(redeem())).toBe('provider_unavailable')
  await server.comeBack()
  expect(await failureOf(provider.redeem(search, secrets))).toBe('no failure')
})

test('a description that is too large, no JSON, or of another issuer is refused', async () => {
  const answers: readonly (readonly [string, string])[] = [
    [`{"issuer":"${server.issuer}","padding":"${'x'.repeat(2 * 1024 * 1024)}"}`, 'provider_unavailable'],
    ['<html>', 'invalid_response'],
    ['{"issuer":"https://id.attacker.example"}', 'invalid_response'],
    [`{"issuer":"${server.issuer}"}`, 'misconfigured'],
  ]
  for (const [text, failure] of answers) {
    server.lies.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text)
      return true
    }
    const starting = create().authorizationUrl(newLoginSecrets(), { isFresh: false })
    expect(await failureOf(starting), text.slice(0, 60)).toBe(failure)
  }
})

test('a wrong client secret is misconfigured', async () => {
  const provider = create({ clientSecret: 'another-secret-of-some-length' })
  const { redeem } = await logIn({ provider })

  expect(await failureOf(redeem())).toBe('misconfigured')
})
