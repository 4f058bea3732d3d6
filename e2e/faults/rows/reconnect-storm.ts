import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { freePort } from '../../harness/free-port.ts'
import { startServer } from '../../harness/start-server.ts'
import { startStreamCrowd } from '../../harness/start-stream-crowd.ts'
import { PATIENCE_MS, within } from '../../harness/within.ts'
import { inThousands } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { descriptorLimit, peakMb } from '../process-usage.ts'
import { putCounters } from '../put-counters.ts'
import { createSharedDatabase } from '../shared-postgres.ts'
import { watchHealth } from '../watch-health.ts'

const CLIENTS = { short: 200, full: 5_000 }
const TIMES = { short: 1, full: 10 }
/** The files and sockets of a server beside its streams. */
const OTHER_DESCRIPTORS = 500
const READY_WITHIN_MS = 10_000
const MEMORY_MAX_MB = 400
const HEALTH_WITHIN_MS = 500

export const fault: Fault = {
  group: 'crashes',
  title: '5,000 clients that reconnect at the same moment after a SIGKILL of the server',
  promise:
    'All clients have all flags within 10 s after the server listens. The server needs at most 400 MB, and `/health` responds within 500 ms meanwhile.',
  async run(stage, scale) {
    const clients = CLIENTS[scale]
    if (descriptorLimit() < clients + OTHER_DESCRIPTORS) {
      return {
        times: '',
        seen: '',
        broken: [],
        skipped: `fewer than ${clients + OTHER_DESCRIPTORS} descriptors`,
      }
    }
    const options = { databaseUrl: await createSharedDatabase(), port: await freePort() }
    let server = await startServer(stage, options)
    await putCounters(server.url)
    const crowd = startStreamCrowd(stage, { url: server.url, count: clients, reconnect: true })
    const allReady = async () => (await crowd.status()).ready === clients
    await eventually(allReady, PATIENCE_MS)
    const readyMs: number[] = []
    const memoryMb: number[] = []
    const healthMs: number[] = []
    const broken: string[] = []
    const times = countOf(scale, TIMES)
    for (let time = 0; time < times; time += 1) {
      server.kill('SIGKILL')
      await within(PATIENCE_MS, 'the end of a server after SIGKILL', server.exited)
      await eventually(async () => (await crowd.status()).ready === 0, PATIENCE_MS)
      server = await startServer(stage, options)
      const listeningAt = Date.now()
      const health = watchHealth(server.url)
      await eventually(allReady, PATIENCE_MS)
      const { answersMs, failed } = await health.stop()
      if (failed > 0) broken.push(`/health failed ${failed} times.`)
      healthMs.push(...answersMs)
      readyMs.push(Math.max(0, (await crowd.status()).lastReadyAt - listeningAt))
      memoryMb.push(peakMb(server.pid))
    }
    await server.stop()
    const [ready, memory, health] = [readyMs, memoryMb, healthMs].map((values) =>
      Math.round(Math.max(...values)),
    )
    // The short form runs beside other tests: it checks that all return, not how fast.
    if (scale === 'full') {
      if (ready !== undefined && ready > READY_WITHIN_MS)
        broken.push(`The last client was ready after ${inThousands(ready)} ms.`)
      if (memory !== undefined && memory > MEMORY_MAX_MB) broken.push(`The server needed ${memory} MB.`)
      if (health !== undefined && health > HEALTH_WITHIN_MS)
        broken.push(`/health took ${inThousands(health)} ms.`)
    }
    return {
      times: `${times} times ${inThousands(clients)} clients`,
      seen: `all ready after ${inThousands(ready ?? 0)} ms, at most ${memory} MB, /health within ${health} ms`,
      broken,
    }
  },
}
