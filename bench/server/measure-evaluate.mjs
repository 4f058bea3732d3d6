import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { figure } from '../harness/result-table.mjs'
import { slowestDuring, watchHealth } from './watch-health.mjs'

const WARM_UP_ROUNDS = 10
const BYTES_PER_KB = 1000

export const EVALUATE_COLUMNS = [
  'Request',
  'p50',
  'p99',
  'first byte, p50',
  'size of the response',
  'slowest /health meanwhile',
]

/**
 * Sends requests of `POST evaluate` one after another; the time ends with the last byte.
 * A kind of request has `name`, `rounds`, `body` and `goals`.
 */
export async function measureEvaluate(
  { port, url },
  { environment_id, sdk_key },
  /** @type {any} */ { body, goals = {}, name, rounds },
) {
  const target = `${url}/api/environments/${environment_id}/evaluate`
  const spans = []
  let bytes = 0
  const health = await watchHealth(port)
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
    const user = { user_key: `user-${round}`, attributes: { plan: 'pro', country: 'NO', age: round % 90 } }
    const from = monotonicMs()
    const response = await fetch(target, {
      method: 'POST',
      headers: { authorization: `Bearer ${sdk_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...user, ...body(round) }),
    })
    let firstAt = 0
    bytes = 0
    for await (const chunk of response.body) {
      firstAt ||= monotonicMs()
      bytes += chunk.length
    }
    if (response.status !== 200) throw new Error(`${name} returned ${response.status}`)
    if (round >= WARM_UP_ROUNDS) spans.push({ from, firstAt, to: monotonicMs() })
  }
  const slowest = slowestDuring(await health.stop(), spans)
  const times = spans.map(({ from, to }) => to - from)
  const first = spans.map(({ firstAt, from }) => firstAt - from)
  return [
    name,
    figure(percentile(times, 50), 'ms', goals.p50),
    figure(percentile(times, 99), 'ms', goals.p99),
    figure(percentile(first, 50), 'ms', goals.first),
    figure(bytes / BYTES_PER_KB, 'KB'),
    figure(slowest, 'ms', goals.health),
  ]
}
