import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventually } from '../packages/server/test/harness/eventually.ts'
import { openStage } from './harness/open-stage.ts'
import { startServer } from './harness/start-server.ts'
import { startStreamCrowd } from './harness/start-stream-crowd.ts'
import { PATIENCE_MS } from './harness/within.ts'

const PROGRAM = new URL('./programs/count-heap.mjs', import.meta.url).href
const STREAMS = 1_000
/** The streams that are opened before, so that compiled code and memory of the first use do not count. */
const WARM_UP_STREAMS = 300
/** The bytes that a stream keeps (docs/performance.md). */
const STREAM_MAX_BYTES = 4.5 * 1024
/** The time in which requests end and writes are sent. */
const SETTLE_MS = 1_000
/** The requests that may be open in a test: those of its own questions, and idle connections. */
const OTHERS_MAX = 10

interface HeapCounts {
  readonly heapBytes: number
  readonly requests: number
  readonly responses: number
  readonly parsers: number
}

test('a stream keeps 4.5 KB on the heap, and neither its request nor its response nor its parser', async () => {
  const stage = openStage()
  const portFile = join(stage.folder('count-heap'), 'port')
  const server = await startServer(stage, {
    dataDir: stage.folder('data'),
    env: { NODE_OPTIONS: `--expose-gc --import ${PROGRAM}`, COUNT_HEAP_PORT_FILE: portFile },
  })
  const port = await readFile(portFile, 'utf8')
  const count = async () => (await (await fetch(`http://127.0.0.1:${port}`)).json()) as HeapCounts
  const open = async (streams: number) => {
    const crowd = startStreamCrowd(stage, { url: server.url, count: streams, reconnect: false })
    await eventually(async () => (await crowd.status()).ready === streams, PATIENCE_MS)
    await delay(SETTLE_MS)
  }
  await open(WARM_UP_STREAMS)
  const before = await count()
  await open(STREAMS)
  const after = await count()
  expect((after.heapBytes - before.heapBytes) / STREAMS).toBeLessThan(STREAM_MAX_BYTES)
  expect(after.requests - before.requests).toBeLessThan(OTHERS_MAX)
  expect(after.responses - before.responses).toBeLessThan(OTHERS_MAX)
  expect(after.parsers).toBeLessThan(OTHERS_MAX)
  await server.stop()
})
