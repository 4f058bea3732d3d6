import { environmentOf } from '../../harness/call-api.ts'
import { METRICS_TOKEN } from '../../harness/loop-delay.ts'
import { postReport } from '../../harness/post-report.ts'
import { startServer } from '../../harness/start-server.ts'
import { assessGaps, measureGaps } from '../assess/measure-gaps.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const ROUNDS = { short: 1, full: 20 }
const AT_ONCE = 4
const BYTES = 16 * 1024 * 1024 - 1_000
/** The number of kinds of bodies. */
const CONTEXT_COUNT = { short: 1, full: 3 }

/** The bodies: reports that a parser expands to hundreds of megabytes. */
const CONTEXTS: readonly ((bytes: number) => string)[] = [
  (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  (bytes) => `[${'[],'.repeat((bytes - 4) / 3)}[]]`,
  (bytes) => `[${'{},'.repeat((bytes - 4) / 3)}{}]`,
]

export const fault: Fault = {
  group: 'bodies',
  title: 'Reports of 16 MiB of nested lists, four at once, under a heap of 1 GB',
  promise:
    'Each is stored without its context, or refused with 503 while too many are waiting. Other requests are answered meanwhile, and the process does not end.',
  async run(stage, scale) {
    const server = await startServer(stage, {
      databaseUrl: await createSharedDatabase(),
      env: { METRICS_TOKEN, NODE_OPTIONS: '--max-old-space-size=1024' },
    })
    const environment_id = await environmentOf(server.url)
    const bodies = CONTEXTS.map(
      (context) => `[{"flag_key":"a","value":"x","context":{"a":${context(BYTES)}}}]`,
    )
    const broken: string[] = []
    let stored = 0
    const sendFour = async (body: string) => {
      const sent = Array.from({ length: AT_ONCE }, () => postReport(server.url, environment_id, body))
      const statuses = await Promise.all(sent)
      stored += statuses.filter((status) => status === 204).length
      if (!statuses.includes(204) || statuses.some((status) => status !== 204 && status !== 503))
        broken.push(`statuses ${statuses.join(', ')}`)
    }
    const pieces = Array.from({ length: countOf(scale, ROUNDS) }, () =>
      bodies.slice(0, CONTEXT_COUNT[scale]).map((body) => () => sendFour(body)),
    ).flat()
    const gaps = assessGaps(await measureGaps(server, pieces), scale)
    await server.stop()
    return {
      times: `${pieces.length * AT_ONCE} reports`,
      seen: `${stored} stored, the others 503; ${gaps.seen}`,
      broken: [...broken, ...gaps.broken],
    }
  },
}
