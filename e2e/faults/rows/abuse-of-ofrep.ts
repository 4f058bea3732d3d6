import { putFlag } from '../../harness/call-api.ts'
import { assessGaps, measureGaps } from '../assess/measure-gaps.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { openPlace, type Place } from '../shared-server.ts'

const ROUNDS = { short: 1, full: 50 }
const AT_ONCE = 8
const BULK = '/ofrep/v1/evaluate/flags'
const EXPECTED = [200, 400, 404, 413]
const MIB = 1024 * 1024

/** Bodies that are large, deep, or expand to much when they are read. */
const BODIES: readonly string[] = [
  '{',
  'null',
  '{"context":{"targetingKey":[]}}',
  `{"context":{"a":${'['.repeat(MIB / 4)}${']'.repeat(MIB / 4)}}}`,
  `{"context":{"a":[${'{},'.repeat(MIB / 4)}{}]}}`,
  `{"context":{"${'n'.repeat(MIB / 2)}":{${fields(10_000)}}}}`,
  `{"context":{${fields(40_000)}}}`,
  `{"context":{"a":"${'x'.repeat(MIB - 100)}"}}`,
  `{"context":{"a":"${'x'.repeat(2 * MIB)}"}}`,
  `{"context":{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}}`,
]

function fields(count: number): string {
  return Array.from({ length: count }, (_, index) => `"f${index}":${index}`).join(',')
}

export const fault: Fault = {
  group: 'bodies',
  title: 'Evaluations with OFREP whose bodies are malformed, deep or large, with a client key',
  promise:
    'Each is evaluated, or refused in the form that OFREP has for errors, and never with 500. Forged tickets open no event stream. Other requests are answered meanwhile.',
  async run(_stage, scale) {
    const place = await openPlace()
    const { environmentId, headers, url } = place
    for (const key of ['one', 'two']) await putFlag(url, environmentId, { key, is_enabled: true }, headers)
    const key = await place.createKey('client')
    const broken: string[] = []
    const counts = new Map<number, number>()
    const send = async (path: string, body: string) => {
      const problem = await sendBody(place, { key, path, body }, counts)
      if (problem !== null) broken.push(problem)
    }
    const atOnce = (path: string, body: string) => async () => {
      await Promise.all(Array.from({ length: AT_ONCE }, () => send(path, body)))
    }
    const pieces = Array.from({ length: countOf(scale, ROUNDS) }, () =>
      BODIES.flatMap((body) => [BULK, `${BULK}/one`, `${BULK}/unknown`].map((path) => atOnce(path, body))),
    ).flat()
    const gaps = assessGaps(await measureGaps(place, pieces), scale)
    broken.push(...(await tryTickets(place)))
    const seen = [...counts].sort().map(([status, count]) => `${count} with ${status}`)
    return {
      times: `${pieces.length * AT_ONCE} requests`,
      seen: `${seen.join(', ')}; ${gaps.seen}`,
      broken: [...new Set(broken), ...gaps.broken],
    }
  },
}

async function sendBody(
  { url }: Place,
  { body, key, path }: { readonly key: string; readonly path: string; readonly body: string },
  counts: Map<number, number>,
): Promise<string | null> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body })
  const { status } = response
  const answer = Object(await response.json())
  counts.set(status, (counts.get(status) ?? 0) + 1)
  const isFormed = status === 200 || (answer.errorCode !== undefined && answer.errorDetails !== undefined)
  return EXPECTED.includes(status) && isFormed ? null : `${path} returned ${status} to ${body.slice(0, 60)}`
}

/** Returns the forged tickets that opened a stream. */
async function tryTickets({ url }: Place): Promise<string[]> {
  const opened: string[] = []
  for (const ticket of ['', 'legacy.99999999999.x', `1.99999999999.${'A'.repeat(43)}`, 'x'.repeat(10_000)]) {
    const { status } = await fetch(`${url}/ofrep/v1/events?ticket=${ticket}`)
    if (status !== 401) opened.push(`A forged ticket returned ${status}.`)
  }
  return opened
}
