import { bearer, environmentOf } from '../../harness/call-api.ts'
import { seedLargeFlags } from '../../harness/seed-large-flags.ts'
import { SDK_KEY, startServer } from '../../harness/start-server.ts'
import { watchServer } from '../../harness/watch-server.ts'
import type { Fault } from '../fault.ts'

const SCALES = { short: { flags: 8, readers: 60 }, full: { flags: 12, readers: 1_000 } }
const HEAP_MB = 512
const PEAK_MAX_MIB = 1_000

export const fault: Fault = {
  group: 'reads',
  title: 'Readers of a large list at the same time, with a heap of 512 MB',
  promise:
    'Answers wait for memory; what finds none in time is 503 with Retry-After, and nothing else fails.',
  async run(stage, scale) {
    const { flags, readers } = SCALES[scale]
    const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` }
    const server = await startServer(stage, { data_dir: stage.folder('data'), env })
    const environmentId = await environmentOf(server.url)
    await seedLargeFlags(server.url, environmentId, { count: flags, changes: 0 })
    const broken: string[] = []
    const counts = { answered: 0, refused: 0 }
    const read = async () => {
      const answer = await fetch(`${server.url}/api/environments/${environmentId}/flags`, {
        headers: bearer(SDK_KEY),
      })
      const { byteLength } = await answer.arrayBuffer()
      if (answer.status === 200 && byteLength > 0) counts.answered += 1
      else if (answer.status === 503 && answer.headers.has('retry-after')) counts.refused += 1
      else broken.push(`a reader was answered ${answer.status}`)
    }
    const watched = await watchServer(server, async () => {
      await Promise.all(Array.from({ length: readers }, read))
    })
    if (counts.answered === 0) broken.push('no reader was answered')
    if (watched.healthFailures > 0) broken.push(`/health failed ${watched.healthFailures} times`)
    if (watched.peakMib > PEAK_MAX_MIB) broken.push(`the process held ${watched.peakMib} MiB`)
    await server.stop()
    return {
      times: `${readers} readers of ${flags} MB`,
      seen: `${counts.answered} answered, ${counts.refused} refused with 503, ${watched.peakMib} MiB of memory, /health within ${watched.slowestHealthMs} ms`,
      broken,
    }
  },
}
