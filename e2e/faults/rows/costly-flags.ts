import { createRandom, seedOf } from '../../../packages/server/test/fuzz/random.ts'
import { callApi, putFlag } from '../../harness/call-api.ts'
import { type EvaluationRequest, evaluations } from '../../hostile/inputs/evaluations.ts'
import { assessGaps, measureGaps } from '../assess/measure-gaps.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { openPlace, type Place } from '../shared-server.ts'

const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 33)
const FLAGS = { short: 8, full: 40 }
const GENERATED = { short: 2, full: 40 }
const AT_ONCE = 8
const BULK = '/ofrep/v1/evaluate/flags'
const PATTERNS = ['(?:[a-m]?[n-z]?){240}1', '.{0,400}x', '(?:a?b?){200}z', '(a|b|ab){40}(.a.b){30}c{200}$']

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)
const han = (length: number, from: number) =>
  Array.from({ length }, (_, at) => String.fromCharCode(0x4e00 + ((from + at * 7) % 20_000))).join('')

/** Rules of which one took up to a second for one user. */
const RULES: readonly object[][] = [
  PATTERNS.map((pattern) => ({ attribute: 'it', operator: 'matches', values: [pattern] })),
  [{ attribute: 'it', operator: 'contains', values: numbered('value-', 20_000) }],
  [{ attribute: 'it', operator: 'not_contains', values: numbered('aab', 900) }],
  [{ attribute: 'it', operator: 'starts_with', values: numbered('value-', 20_000) }],
  [{ attribute: 'it', operator: 'greater_than', values: numbered('9', 20_000) }],
  [{ attribute: 'it', operator: 'semver_equal', values: numbered('1.0.', 20_000) }],
]

/** Attributes in bodies of some kilobytes, which have a path of their own, and of up to a megabyte. */
const ATTRIBUTES: readonly unknown[] = [
  numbered('item-', 1_000),
  'ab'.repeat(7_500),
  Array.from({ length: 9 }, (_, at) => han(500, at * 500)),
  Array.from({ length: 100 }, (_, at) => han(508, at * 508)),
  numbered('item-', 8_000),
  numbered('1', 90_000),
  'ab'.repeat(400_000),
]

export const fault: Fault = {
  group: 'bodies',
  title:
    'Evaluations of flags with thousands of values and the largest patterns for users with lists and long texts, with a client key, in bulk and one by one, and generated ones',
  promise:
    'Each has a result. Where values and elements multiply beyond the bound, that result is an error which names it. The event loop stays free, also with many requests at the same time.',
  async run(_stage, scale) {
    const place = await openPlace()
    const { environmentId, headers, url } = place
    const keys = Array.from({ length: countOf(scale, FLAGS) }, (_, at) => `costly-${at}`)
    for (const [at, key] of keys.entries()) {
      const rules = RULES[at % RULES.length]
      await putFlag(url, environmentId, { key, is_enabled: true, rollout_percentage: 0, rules }, headers)
    }
    const client = await place.createKey('client')
    const broken: string[] = []
    const counts = new Map<number, number>()
    const send = async (path: string, body: string) => {
      const init = {
        method: 'POST',
        body,
        headers: { 'x-api-key': client, 'content-type': 'application/json' },
      }
      const { status } = await fetch(url + path, init)
      counts.set(status, (counts.get(status) ?? 0) + 1)
      if (![200, 400].includes(status)) broken.push(`${path} returned ${status} to ${body.slice(0, 60)}`)
    }
    const pieces = ATTRIBUTES.flatMap((it) =>
      [BULK, ...keys.slice(0, RULES.length).map((key) => `${BULK}/${key}`)].map((path) => async () => {
        // A context of its own each, so that no result is known.
        const bodies = Array.from({ length: AT_ONCE }, (_, at) =>
          JSON.stringify({ context: { targetingKey: `user-${at}`, it } }),
        )
        await Promise.all(bodies.map((body) => send(path, body)))
      }),
    )
    const generated = Array.from({ length: countOf(scale, GENERATED) }, (_, nth) => async () => {
      for (const request of evaluations.create(createRandom(seedOf(SEED, nth)))) {
        const status = await sendGenerated(place, client, request)
        counts.set(status, (counts.get(status) ?? 0) + 1)
        if (status >= 500) broken.push(`${request.path} returned ${status} to the generated input ${nth}`)
      }
    })
    const gaps = assessGaps(await measureGaps(place, [...pieces, ...generated]), scale)
    const seen = [...counts].sort().map(([status, count]) => `${count} with ${status}`)
    return {
      times: `${pieces.length * AT_ONCE} requests to ${keys.length} flags, ${generated.length} generated inputs`,
      seen: `${seen.join(', ')}; ${gaps.seen}`,
      broken: [...new Set(broken), ...gaps.broken],
    }
  },
}

async function sendGenerated(
  { environmentId, headers, url }: Place,
  client: string,
  { as, body, method, path }: EvaluationRequest,
): Promise<number> {
  const address = path.replace(':env_id', environmentId)
  const credential = as === 'client' ? { 'x-api-key': client } : headers
  return (await callApi(url, method, address, body, credential)).status
}
