import { environmentOf } from '../../harness/call-api.ts'
import { longestDelayMs, METRICS_TOKEN } from '../../harness/loop-delay.ts'
import { postReport } from '../../harness/post-report.ts'
import { startServer } from '../../harness/start-server.ts'
import type { Fault } from '../fault.ts'

const ROUNDS = { short: 1, full: 50 }
const AT_ONCE = 4
const BYTES = 16 * 1024 * 1024 - 1_000
/** Generous, for a machine that does other things as well; docs/performance.md has what a quiet one needs. */
const GAP_MAX_MS = 500

/** Each is a report that a parser makes hundreds of megabytes of. */
const CONTEXTS: readonly ((bytes: number) => string)[] = [
  (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  (bytes) => `[${'[],'.repeat((bytes - 4) / 3)}[]]`,
  (bytes) => `[${'{},'.repeat((bytes - 4) / 3)}{}]`,
]

export const fault: Fault = {
  group: 'bodies',
  title: 'Reports of 16 MiB of nested lists, four at once, under a heap of 1 GB',
  promise:
    'Each is stored without its context, or answered 503 while too much waits; other requests are answered meanwhile, and the process lives.',
  async run(stage, scale) {
    const server = await startServer(stage, {
      data_dir: stage.folder('data'),
      env: { METRICS_TOKEN, NODE_OPTIONS: '--max-old-space-size=1024' },
    })
    const environment_id = await environmentOf(server.url)
    const bodies = CONTEXTS.map(
      (context) => `[{"flag_key":"a","value":"x","context":{"a":${context(BYTES)}}}]`,
    )
    const broken: string[] = []
    const gaps: number[] = []
    let stored = 0
    for (let round = 0; round < ROUNDS[scale]; round += 1) {
      for (const body of bodies) {
        await longestDelayMs(server.url)
        const sent = Array.from({ length: AT_ONCE }, () => postReport(server.url, environment_id, body))
        const statuses = await Promise.all(sent)
        stored += statuses.filter((status) => status === 204).length
        if (!statuses.includes(204) || statuses.some((status) => status !== 204 && status !== 503))
          broken.push(`answered ${statuses.join(', ')}`)
        gaps.push(await longestDelayMs(server.url))
      }
    }
    // One round alone says as much of the machine as of the server.
    const typical = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
    if (typical > GAP_MAX_MS) broken.push(`the event loop was held for ${typical.toFixed(0)} ms`)
    await server.stop()
    return {
      times: `${gaps.length * AT_ONCE} reports`,
      seen: `${stored} stored, the others 503; longest gap of the event loop ${gaps.at(-1)?.toFixed(0)} ms, typical ${typical.toFixed(0)} ms`,
      broken,
    }
  },
}
