import { randomBytes } from 'node:crypto'
import { callApi } from '../../harness/call-api.ts'
import { ADMIN } from '../../harness/start-server.ts'
import { withDatabase } from '../../harness/with-database.ts'
import { PATIENCE_MS } from '../../harness/within.ts'
import { inThousands } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import { probeHealth } from '../credentials/probe-health.ts'
import { createSender, loopbackAddress } from '../credentials/send-from.ts'
import type { Fault } from '../fault.ts'
import { openPlace } from '../shared-server.ts'

const SECONDS = { short: 0.5, full: 60 }
const CONNECTIONS = 30
/** The number sent while every look-up of a key or token would hang. */
const SENT_WITHOUT_TABLES = { short: 200, full: 1_000 }
/** The limit; the default at full scale. */
const LIMIT_A_MINUTE = { short: 50, full: 600 }
const MINUTE_MS = 60_000

/** The prefixes. The first two are ours; the form of the others is refused. */
const PREFIXES = ['sk_live_', 'pat_', '', 'key_']
const OF_OURS = new Set(['sk_live_', 'pat_'])

export const fault: Fault = {
  group: 'credentials',
  title: 'Random bearer tokens from one address at full speed',
  promise:
    'At most 600 a minute are looked up. The others get 401 or 429 without a query. Known keys from the same address, logins and `/health` work as before.',
  async run(_stage, scale) {
    const limit = LIMIT_A_MINUTE[scale]
    const withoutTables = SENT_WITHOUT_TABLES[scale]
    // A separate server: for a minute no other row could use a key there for the first time.
    const settings = { RATE_LIMIT_UNKNOWN_BEARERS: String(limit) }
    const { databaseUrl, headers: known, url } = await openPlace(settings)
    // Makes the key known. The flood comes from this address too.
    await callApi(url, 'GET', '/flags/snapshot', undefined, known)
    const health = probeHealth(url)
    const { close, send } = createSender(url, loopbackAddress(-1))
    const answers = new Map<number, number>()
    let sent = 0
    let lookedUp = 0
    const sendOne = async (): Promise<number> => {
      sent += 1
      const prefix = PREFIXES[sent % PREFIXES.length] ?? ''
      const headers = { authorization: `Bearer ${prefix}${randomBytes(24).toString('base64url')}` }
      const status = await send({ method: 'GET', path: '/api/projects', headers })
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (status === 401 && OF_OURS.has(prefix)) lookedUp += 1
      return status
    }
    const sendWhile = async (goOn: () => boolean): Promise<void> => {
      const line = async () => {
        while (goOn()) await sendOne()
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, line))
    }
    const broken: string[] = []
    const expectOk = ({ status }: { status: number }, what: string) => {
      if (status !== 200) broken.push(`${what} returned ${status}.`)
    }

    const startedAt = performance.now()
    const firstBy = performance.now() + PATIENCE_MS
    await sendWhile(() => !answers.has(429) && performance.now() < firstBy)
    await withDatabase(databaseUrl, async (pool) => {
      await pool.query('begin')
      await pool.query('lock table sdk_keys, access_tokens in access exclusive mode')
      const until = sent + withoutTables
      await sendWhile(() => sent < until)
      expectOk(await callApi(url, 'GET', '/flags/snapshot', undefined, known), 'A known key')
      await pool.query('rollback')
    })
    const seconds = countOf(scale, SECONDS)
    const endsAt = performance.now() + seconds * 1_000
    const flooding = sendWhile(() => performance.now() < endsAt)
    expectOk(await callApi(url, 'POST', '/api/auth/login', ADMIN, {}), 'A login')
    await flooding
    expectOk(await callApi(url, 'GET', '/flags/snapshot', undefined, known), 'A known key')

    const minutes = Math.ceil((performance.now() - startedAt) / MINUTE_MS)
    const { failures, slowestMs } = await health.stop()
    close()
    const others = [...answers.keys()].filter((status) => status !== 401 && status !== 429)
    if (others.length > 0) broken.push(`Bearer tokens got ${others.join(', ')}.`)
    if (failures > 0) broken.push(`/health failed ${failures} times.`)
    // A minute may start before the flood does.
    const lookUpsMax = limit * (minutes + 1)
    if (lookedUp > lookUpsMax) broken.push(`${lookedUp} were looked up in ${minutes} minutes.`)
    if (!answers.has(429)) broken.push('No bearer token got 429.')
    const counts = [401, 429].map(
      (status) => `${inThousands(answers.get(status) ?? 0)} refused with ${status}`,
    )
    return {
      times: `${inThousands(sent)} bearers`,
      seen: `${inThousands(lookedUp)} looked up within ${minutes} minutes; ${counts.join(', ')}, of these ${inThousands(withoutTables)} while the tables of keys and tokens were locked; slowest /health ${inThousands(slowestMs)} ms`,
      broken,
    }
  },
}
