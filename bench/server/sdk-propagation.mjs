import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openHttpConnection, patchBytes } from '../harness/http-connection.mjs'
import { firstEnvironment, flagKey, seedFlags } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { figure } from '../harness/result-table.mjs'
import { startServer } from '../harness/start-server.mjs'
import { stopProcess } from '../harness/stop-process.mjs'
import { warmUp } from './warm-up.mjs'

const READER = fileURLToPath(new URL('./sdk-store-reader.mjs', import.meta.url))
const WARM_UP_WRITES = 1_000
const WARM_UP = 20
const PAUSE_MS = 20
/** The goal for a change to reach SDKs. */
const GOAL_MS = 50
/** The index of a seeded flag of text type without rules and with a full rollout. */
const TEXT_FLAG = 7
const FLAGS = 10

/**
 * Measures the time from the start of a PATCH until a real SDK in another process evaluates the new value:
 * p50 and p99 as cells.
 */
export async function measureSdkPropagation({ postgres, changes }) {
  const server = await startServer({ databaseUrl: await postgres.createDatabase() })
  try {
    const environment = await firstEnvironment(server)
    await seedFlags(server, environment, FLAGS)
    await warmUp(server, [environment], WARM_UP_WRITES)
    const times = await measure(server, environment, changes)
    return [
      figure(percentile(times, 50), 'ms'),
      figure(percentile(times, 99), 'ms', { atMost: GOAL_MS }),
      '',
      '',
      '',
      '',
    ]
  } finally {
    await server.stop()
  }
}

async function measure({ port, url }, environment, changes) {
  const flag_key = flagKey(TEXT_FLAG)
  const reader = fork(READER, [url, environment.sdk_key, flag_key])
  const connection = await openHttpConnection(port)
  const times = []
  try {
    await once(reader, 'message')
    for (let at = -WARM_UP; at < changes; at++) {
      const default_value = `value ${at}`
      const seen = once(reader, 'message')
      const bytes = patchBytes(environment, flag_key, { default_value })
      const from = monotonicMs()
      const [{ status }, [{ seenAt, value }]] = await Promise.all([connection.send(bytes), seen])
      if (status !== 200 || value !== default_value)
        throw new Error(`PATCH returned ${status}, the SDK says ${value}`)
      if (at >= 0) times.push(seenAt - from)
      await delay(PAUSE_MS)
    }
  } finally {
    connection.close()
    await stopProcess(reader)
  }
  return times
}
