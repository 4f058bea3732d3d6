import { randomBytes } from 'node:crypto'
import { callApi } from '../../harness/call-api.ts'
import { inThousands } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { openPlace, type Place } from '../shared-server.ts'

const TIMES = { short: 1, full: 50 }
const FAILURES_THAT_LOCK = 5
const UNKNOWN_BEARERS_A_MINUTE = 50
/** The number of forged hops. A minute may end while they are sent. */
const FORGED = 3 * UNKNOWN_BEARERS_A_MINUTE
const SETTINGS = { TRUST_PROXY: 'true', RATE_LIMIT_UNKNOWN_BEARERS: String(UNKNOWN_BEARERS_A_MINUTE) }
const PASSWORD = 'a password of the owner'

export const fault: Fault = {
  group: 'credentials',
  title:
    "Failed logins that lock another user's account, from many addresses, and forged X-Forwarded-For headers behind a trusted proxy",
  promise:
    'A browser with an earlier login can still sign in; others must wait. Forged addresses are ignored: all requests count for the address that the proxy reports.',
  async run(_stage, scale) {
    const place = await openPlace(SETTINGS)
    const times = countOf(scale, TIMES)
    const broken = new Set<string>()
    const counts = { looked: 0, refused: 0 }
    for (let time = 0; time < times; time += 1) {
      for (const problem of await lockOut(place, time)) broken.add(problem)
      const { lookedUp, problems, refused } = await forge(place, time)
      for (const problem of problems) broken.add(problem)
      counts.looked += lookedUp
      counts.refused += refused
    }
    return {
      times: `${times} accounts, ${inThousands(times * FORGED)} forged hops`,
      seen:
        `every account was locked for others and open to its own browser; of the bearer tokens with forged addresses ` +
        `${inThousands(counts.looked)} were looked up and ${inThousands(counts.refused)} refused with 429`,
      broken: [...broken],
    }
  },
}

/** Locks an account from five addresses. Returns the problems. */
async function lockOut({ admin, url }: Place, time: number): Promise<readonly string[]> {
  const email = `owner-${time}-${randomBytes(4).toString('hex')}@example.com`
  const user = { name: 'Owner', email, role: 'viewer', password: PASSWORD }
  const created = await callApi(url, 'POST', '/api/users', user, admin)
  if (created.status !== 200) throw new Error(`creating a user returned ${created.status}`)
  const logIn = (password: string, address: string, cookie = '') =>
    callApi(url, 'POST', '/api/auth/login', { email, password }, { 'x-forwarded-for': address, cookie })
  const first = await logIn(PASSWORD, '203.0.113.1')
  const device = first.headers.getSetCookie().find((cookie) => cookie.startsWith('lg_device='))
  for (let failure = 0; failure < FAILURES_THAT_LOCK; failure += 1)
    await logIn('a wrong guess', `192.0.2.${failure + 1}`)
  const [other, own] = [
    await logIn(PASSWORD, '203.0.113.2'),
    await logIn(PASSWORD, '203.0.113.1', device?.split(';')[0]),
  ]
  const broken: string[] = []
  if (other.status !== 429) broken.push(`Another browser got ${other.status} while the account was locked.`)
  if (own.status !== 200) broken.push(`The browser of the owner got ${own.status}.`)
  return broken
}

/** Sends keys with a different forged hop each, all through one client of the proxy. */
async function forge({ url }: Place, time: number) {
  const tryKey = async (forwardedFor: string) => {
    const authorization = `Bearer sk_live_${randomBytes(24).toString('base64url')}`
    const headers = { authorization, 'x-forwarded-for': forwardedFor }
    return (await callApi(url, 'GET', '/flags/snapshot', undefined, headers)).status
  }
  const client = `198.51.100.${time + 1}`
  const statuses: number[] = []
  for (let count = 0; count < FORGED; count += 1)
    statuses.push(await tryKey(`10.${time}.${count >> 8}.${count & 255}, ${client}`))
  const lookedUp = statuses.filter((status) => status === 401).length
  const refused = statuses.filter((status) => status === 429).length
  const problems: string[] = []
  if (lookedUp > 2 * UNKNOWN_BEARERS_A_MINUTE) problems.push(`${lookedUp} keys of one client were looked up.`)
  if (lookedUp + refused < FORGED) problems.push('A key got neither 401 nor 429.')
  const other = await tryKey(`10.0.0.1, 203.0.113.${time + 1}`)
  if (other !== 401) problems.push(`A key of another client got ${other}.`)
  return { lookedUp, refused, problems }
}
