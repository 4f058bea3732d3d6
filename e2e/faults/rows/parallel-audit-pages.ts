import { bearer, callApi, environmentOf } from '../../harness/call-api.ts'
import { seedLargeFlags } from '../../harness/seed-large-flags.ts'
import { SDK_KEY, startServer } from '../../harness/start-server.ts'
import { watchServer } from '../../harness/watch-server.ts'
import type { Fault } from '../fault.ts'

const SCALES = {
  short: { flags: 4, changes: 6, readers: 8, rounds: 1 },
  full: { flags: 10, changes: 40, readers: 8, rounds: 50 },
}
const HEAP_MB = 512
const ANSWER_MAX_BYTES = 16 * 1024 * 1024
const UNHEALTHY_MS = 2_000

export const fault: Fault = {
  group: 'reads',
  title: 'Eight pages of 200 audit entries at the same time, with flags of 1 MB and a heap of 512 MB',
  promise: 'Every answer has at most 16 MiB and says where the next page begins; the server goes on.',
  async run(stage, scale) {
    const { changes, flags, readers, rounds } = SCALES[scale]
    const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` }
    const server = await startServer(stage, { data_dir: stage.folder('data'), env })
    const environmentId = await environmentOf(server.url)
    await seedLargeFlags(server.url, environmentId, { count: flags, changes })
    const broken: string[] = []
    let largest = 0
    const read = async () => {
      const answer = await fetch(`${server.url}/api/environments/${environmentId}/audit?limit=200`, {
        headers: bearer(SDK_KEY),
      })
      const { byteLength } = await answer.arrayBuffer()
      largest = Math.max(largest, byteLength)
      if (answer.status === 503) return
      if (answer.status !== 200) broken.push(`a page answered ${answer.status}`)
      else if (!answer.headers.has('x-next-cursor')) broken.push('a page named no next one')
    }
    const watched = await watchServer(server, async () => {
      for (let round = 0; round < rounds; round += 1) await Promise.all(Array.from({ length: readers }, read))
    })
    if (largest > ANSWER_MAX_BYTES) broken.push(`an answer had ${largest} bytes`)
    if (watched.healthFailures > 0) broken.push(`/health failed ${watched.healthFailures} times`)
    if (watched.slowestHealthMs > UNHEALTHY_MS) broken.push(`/health took ${watched.slowestHealthMs} ms`)
    const { status } = await callApi(server.url, 'GET', `/api/environments/${environmentId}/flags/large-0`)
    if (status !== 200) broken.push(`a flag answered ${status}`)
    await server.stop()
    return {
      times: `${readers * rounds} pages`,
      seen: `at most ${(largest / 1e6).toFixed(1)} MB an answer, ${watched.peakMib} MiB of memory, /health within ${watched.slowestHealthMs} ms`,
      broken,
    }
  },
}
