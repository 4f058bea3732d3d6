import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openHttpConnection, patchBytes } from '../harness/http-connection.mjs'
import { firstEnvironment, flagKey, seedFlags } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { figure } from '../harness/result-table.mjs'
import { stopProcess } from '../harness/stop-process.mjs'
import { warmUp } from './warm-up.mjs'

const READER = fileURLToPath(new URL('./sdk-store-reader.mjs', import.meta.url))
const WARM_UP_WRITES = 1_000
const WARM_UP = 5
const PAUSE_MS = 20
const LEAST_CHANGES = 10
/** The goal for a change to reach SDKs. */
const GOAL_MS = 50
/** The index of a seeded flag of text type without rules and with a full rollout. */
const TEXT_FLAG = 7
const FLAGS = 10

/**
 * The time from the start of a PATCH until a real SDK of this checkout, in another process, evaluates the new
 * value.
 */
export const sdkPropagation = {
  columns: ['One process', 'p50', 'p99'],
  compared: ['p50', 'p99'],
  open,
}

async function open({ postgres, startServer }) {
  const server = await startServer({ databaseUrl: await postgres.createDatabase() })
  const environment = await firstEnvironment(server)
  await seedFlags(server, environment, FLAGS)
  await warmUp(server, [environment], WARM_UP_WRITES)
  const reader = fork(READER, [server.url, environment.sdk_key, flagKey(TEXT_FLAG)])
  await once(reader, 'message')
  return {
    rows: [
      {
        name: 'a change, to a real SDK’s store',
        measure: (ms) => measure(server, { environment, reader }, ms),
      },
    ],
    async close() {
      await stopProcess(reader)
      await server.stop()
    },
  }
}

async function measure({ port }, { environment, reader }, ms) {
  const connection = await openHttpConnection(port)
  const startedAt = monotonicMs()
  const times = []
  for (let at = -WARM_UP; at < LEAST_CHANGES || monotonicMs() - startedAt < ms; at++) {
    const default_value = `value ${startedAt} ${at}`
    const seen = once(reader, 'message')
    const bytes = patchBytes(environment, flagKey(TEXT_FLAG), { default_value })
    const from = monotonicMs()
    const [{ status }, [{ seenAt, value }]] = await Promise.all([connection.send(bytes), seen])
    if (status !== 200 || value !== default_value)
      throw new Error(`PATCH returned ${status}, the SDK states ${value}`)
    if (at >= 0) times.push(seenAt - from)
    await delay(PAUSE_MS)
  }
  connection.close()
  return [figure(percentile(times, 50), 'ms'), figure(percentile(times, 99), 'ms', { atMost: GOAL_MS })]
}
