import { PATIENCE_MS } from '../../harness/within.ts'
import { assessGaps, measureGaps } from '../assess/measure-gaps.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { openPlace } from '../shared-server.ts'

const ROUNDS = { short: 1, full: 20 }
const EXPECTED = [200, 413, 422]
const MIB = 1024 * 1024
/** The largest file that fits into a body of 4 MiB, with its quotes escaped. */
const LARGEST = 4 * MIB - 4_096

const FLAG = '{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"on"}'

/** Returns a file of flags whose JSON in a body has about `bytes` bytes. */
function flagsOf(bytes: number): string {
  const flags: string[] = []
  for (let used = 0, at = 0; used < bytes - 200; at += 1) {
    const flag = `"flag-${at}":${FLAG}`
    // Each quote has a backslash in the body.
    used += flag.length + flag.split('"').length
    flags.push(flag)
  }
  return `{"flags":{${flags.join(',')}}}`
}

/** Lists of aliases, each twice as long as the one before. */
const LAUGHS = Array.from({ length: 30 }, (_, at) =>
  at === 0 ? 'a0: &a0 [x, x]' : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`,
).join('\n')

const one = (system: string, name: string, content: string): string =>
  JSON.stringify({ system, files: [{ name, content }] })

const BODIES: readonly (() => string)[] = [
  () => one('flagd', 'largest.json', flagsOf(LARGEST)),
  () => one('flagd', 'text.json', 'x'.repeat(LARGEST)),
  () => one('flagd', 'above.json', 'x'.repeat(5 * MIB)),
  () => one('flagd', 'deep.json', '['.repeat(LARGEST)),
  () => one('goff', 'laughs.yaml', LAUGHS),
  () => one('goff', 'deep.yaml', '['.repeat(20_000)),
  () => one('goff', 'deep.toml', `a = ${'['.repeat(20_000)}`),
  // A body that is no import at all.
  () => '['.repeat(LARGEST),
  () => `{"system":"flagd","files":[${'{},'.repeat(LARGEST / 3 - 100)}{}]}`,
]

export const fault: Fault = {
  group: 'bodies',
  title:
    'Imports of the largest files, of files that stand for more than they are, and of deep and invalid ones',
  promise:
    'Each is translated in a process of its own, or refused with 413 or 422. Other requests are answered meanwhile.',
  async run(_stage, scale) {
    const { headers, pid, projectId, url } = await openPlace()
    const path = `/api/projects/${projectId}/import`
    const broken: string[] = []
    const counts = new Map<number, number>()
    const pieces = Array.from({ length: countOf(scale, ROUNDS) }, () =>
      BODIES.map((bodyOf) => async () => {
        const sent = bodyOf()
        const response = await fetch(url + path, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: sent,
          signal: AbortSignal.timeout(PATIENCE_MS),
        })
        await response.arrayBuffer()
        counts.set(response.status, (counts.get(response.status) ?? 0) + 1)
        if (!EXPECTED.includes(response.status))
          broken.push(`status ${response.status} for ${sent.slice(0, 60)}`)
      }),
    ).flat()
    const gaps = assessGaps(await measureGaps({ pid, url }, pieces), scale)
    const seen = [...counts].sort().map(([status, count]) => `${count} with ${status}`)
    return {
      times: `${pieces.length} imports`,
      seen: `${seen.join(', ')}; ${gaps.seen}`,
      broken: [...new Set(broken), ...gaps.broken],
    }
  },
}
