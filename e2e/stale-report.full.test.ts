import { expect, test } from 'vitest'
import { callApi, environmentOf, patchFlag, signIn } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { longestDelayMs, METRICS_TOKEN } from './harness/loop-delay.ts'
import { openStage } from './harness/open-stage.ts'
import { startServer } from './harness/start-server.ts'

const IS_FULL = process.env.BURGEE_FULL === '1'
/** `npm run full -- stale` has 5,000 flags. */
const FLAGS = IS_FULL ? 5_000 : 200
const BATCH = 500
const READS = IS_FULL ? 20 : 3
/** The longest pause of an idle machine, with tolerance for a busy one in a short run. */
const DELAY_MAX_MS = IS_FULL ? 50 : 500
const TIMEOUT_MS = 600_000

test('the report of stale flags is kept, and follows flags over two instances', {
  timeout: TIMEOUT_MS,
}, async () => {
  const stage = openStage()
  const databaseUrl = await cloneDatabase()
  const [left, right] = [
    await startServer(stage, { databaseUrl, env: { METRICS_TOKEN } }),
    await startServer(stage, { databaseUrl, env: { METRICS_TOKEN } }),
  ]
  const environment_id = await environmentOf(left.url)
  const headers = await signIn(left.url)
  const [project] = (await callApi(left.url, 'GET', '/api/projects', undefined, headers)).body
  const rules = [{ attribute: 'plan', operator: 'equals', values: ['pro'] }]
  for (let at = 0; at < FLAGS; at += BATCH) {
    const flags = Array.from({ length: Math.min(BATCH, FLAGS - at) }, (_, n) => ({
      ...{ key: `flag-${at + n}`, is_enabled: true, rules, rollout_percentage: n % 2 === 0 ? 0 : 100 },
    }))
    const path = `/api/environments/${environment_id}/apply`
    expect((await callApi(left.url, 'POST', path, { flags }, headers)).status).toBe(200)
  }

  const read = async (url: string, query = '') => {
    const start = performance.now()
    const answer = await fetch(`${url}/api/projects/${project.id}/stale${query}`, { headers })
    const text = await answer.text()
    return {
      tookMs: performance.now() - start,
      computedAt: String(answer.headers.get('x-computed-at')),
      proofOf: (key: string): string | undefined =>
        JSON.parse(text)
          .find((one: { flag_key: string }) => one.flag_key === key)
          ?.evidence.find((one: { code: string }) => one.code === 'constant_proved')?.text,
    }
  }

  await longestDelayMs(left.url)
  const first = await read(left.url)
  expect(first.proofOf('flag-1')).toContain('every user gets true')
  expect(first.proofOf('flag-0')).toBeUndefined()
  const again = []
  for (let n = 0; n < READS; n += 1) again.push((await read(left.url)).tookMs)
  const delayMs = await longestDelayMs(left.url)

  // A write on one instance is in the next report of the other, whose report is its own.
  expect((await read(right.url)).proofOf('flag-3')).toContain('true')
  await patchFlag(left.url, environment_id, 'flag-3', { is_enabled: false })
  const changed = await read(right.url)
  expect(changed.proofOf('flag-3')).toContain('every user gets false')
  const younger = await read(right.url, '?max_age=0')
  expect(Date.parse(younger.computedAt)).toBeGreaterThan(Date.parse(changed.computedAt))

  again.sort((a, b) => a - b)
  process.stdout.write(
    `${FLAGS} flags: first report ${first.tookMs.toFixed(0)} ms, then p50 ${again[again.length >> 1]?.toFixed(0)} ms ` +
      `and at most ${again.at(-1)?.toFixed(0)} ms; after a write ${changed.tookMs.toFixed(0)} ms; ` +
      `longest pause ${delayMs.toFixed(0)} ms\n`,
  )
  expect(delayMs).toBeLessThan(DELAY_MAX_MS)
})
