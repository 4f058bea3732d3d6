import { createServer } from 'node:net'
import { callApi } from '../../harness/call-api.ts'
import { countOf } from '../count-of.ts'
import { attackDoors, type Door } from '../credentials/attack-doors.ts'
import { createSender, loopbackAddress, type SentRequest } from '../credentials/send-from.ts'
import type { Fault } from '../fault.ts'
import { openPlace, type Place } from '../shared-server.ts'

const ROUNDS = { short: 1, full: 10 }
const AT_ONCE = { short: 10, full: 60 }
const LONG = 'x'.repeat(1024 * 1024 - 1_000)
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
/** Filters of the audit log that select nothing, much or are none. */
const FILTERS = [
  'limit=200&offset=1000000',
  'group=authentication&credential=session:x',
  `actor=${'x'.repeat(4_000)}`,
  'cursor=eyJ4Ijp7fX0',
  'since_id=-1',
  'since_id=0&limit=200',
  'from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z',
]

export const fault: Fault = {
  group: 'credentials',
  title:
    'Invented callbacks and logout tokens of single sign-on while the identity provider never responds, invented one-time links, codes and passkeys, comments of 1 MiB on requests, and many filters and abandoned exports of the audit log, 60 at the same time from many addresses',
  promise:
    'Each is answered or refused with 4xx or 503. Flags are written and read within 3 s meanwhile. No connection is left afterwards, and memory grows by at most 150 MB after the first round.',
  async run(_stage, scale) {
    const provider = await startSilentProvider()
    const place = await openPlace({
      PUBLIC_URL: 'http://localhost',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'burgee',
      OIDC_CLIENT_SECRET: 'a-client-secret-of-the-fault-suite',
    })
    const senders = Array.from({ length: AT_ONCE[scale] }, (_, index) =>
      createSender(place.url, loopbackAddress(index)),
    )
    /** Sends one request from every address at the same time. */
    const flood = (requestOf: (index: number) => SentRequest) =>
      Promise.all(senders.map(({ send }, index) => send(requestOf(index))))
    const leave = () => {
      for (const { close } of senders) close()
    }
    try {
      const doors = openDoors(place, flood)
      return await attackDoors(place, { doors, rounds: countOf(scale, ROUNDS), scale, leave })
    } finally {
      leave()
      provider.close()
    }
  },
}

/** Starts a provider that accepts connections and never responds. */
async function startSilentProvider() {
  const server = createServer((socket) => socket.on('error', () => undefined).resume())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the provider has no port')
  return { issuer: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

type Flood = (requestOf: (index: number) => SentRequest) => Promise<readonly number[]>

function openDoors(place: Place, flood: Flood): readonly Door[] {
  const { admin, environmentId } = place
  const post = (path: string, bodyOf: (name: string) => object) => (round: number) =>
    flood((index) => ({ method: 'POST', path, body: bodyOf(`${round}-${index}`) }))
  const of = (name: string) => `${name}-${'A'.repeat(43)}`
  const assertion = (name: string) => ({
    passkey: {
      ...{ id: of(name), rawId: of(name), type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: of(name),
        authenticatorData: of(name),
        signature: of(name),
        userHandle: null,
      },
    },
  })
  const logoutToken = (name: string) => `logout_token=eyJhbGciOiJSUzI1NiJ9.${of(name)}.${of(name)}`
  return [
    () => flood(() => ({ method: 'GET', path: '/api/auth/sso/start' })),
    (round) =>
      flood((index) => ({
        method: 'GET',
        path: `/api/auth/sso/callback?code=${'c'.repeat(2_000)}&state=${round}-${index}`,
        headers: { cookie: `burgee_sso=${of('cookie')}` },
      })),
    (round) =>
      flood((index) => ({
        method: 'POST',
        path: '/api/auth/sso/backchannel-logout',
        headers: FORM,
        body: index % 10 === 0 ? `logout_token=${LONG}` : logoutToken(`${round}-${index}`),
      })),
    post('/api/auth/links/read', (name) => ({ token: of(name) })),
    post('/api/auth/links/redeem', (name) => ({ token: of(name), password: 'correct horse battery staple' })),
    post('/api/auth/password-reset', (name) => ({ email: `${name}@example.com` })),
    post('/api/auth/login/second-factor', () => ({ totp: '123456' })),
    post('/api/auth/login/passkey/options', () => ({ purpose: 'login' })),
    post('/api/auth/login/passkey', assertion),
    post('/api/auth/login/passkey', () => ({ passkey: { id: LONG } })),
    () =>
      flood(() => ({
        method: 'POST',
        path: `/api/environments/${environmentId}/change-requests/1/comments`,
        headers: place.headers,
        body: { comment: LONG },
      })),
    (round) =>
      flood((index) => ({
        method: 'GET',
        path: `/api/audit?${FILTERS[(round + index) % FILTERS.length]}`,
        headers: admin,
      })),
    () => abandonExports(place),
  ]
}

/** Begins exports of the audit log and ends them after their heads. */
async function abandonExports({ admin, url }: Place): Promise<readonly number[]> {
  await callApi(url, 'GET', '/api/audit?limit=1', undefined, admin)
  return Promise.all(
    Array.from({ length: 10 }, async () => {
      const ended = new AbortController()
      const headers = { ...admin, accept: 'application/x-ndjson' }
      const response = await fetch(`${url}/api/audit`, { headers, signal: ended.signal })
      ended.abort()
      return response.status
    }),
  )
}
