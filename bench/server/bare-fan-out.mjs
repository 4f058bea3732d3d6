import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { stopProcess } from '../harness/stop-process.mjs'
import { startStreamReader } from './start-stream-reader.mjs'

const WRITER = fileURLToPath(new URL('./bare-writer.mjs', import.meta.url))

/**
 * Opens streams to as many bare writers as there are servers. `writeOnce` resolves with the milliseconds
 * until the last stream has a buffer.
 */
export async function openBareFanOut(streams, processes) {
  const writers = Array.from({ length: processes }, () => fork(WRITER))
  const ports = await Promise.all(writers.map((writer) => once(writer, 'message').then(([{ port }]) => port)))
  const reader = startStreamReader()
  await reader.open(
    Array.from({ length: streams }, (_, at) => ({ port: ports[at % processes], sdk_key: '' })),
  )
  return {
    async writeOnce(mark) {
      const { arrived } = await reader.lookOutFor(mark)
      const from = monotonicMs()
      for (const writer of writers) writer.send(mark)
      return (await arrived).last_at - from
    },
    async close() {
      await reader.close()
      await Promise.all(writers.map((writer) => stopProcess(writer)))
    },
  }
}
