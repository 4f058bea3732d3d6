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

const READER = fileURLToPath(new URL('./ofrep-web-reader.mjs', import.meta.url))
const WARM_UP_WRITES = 1_000
const WARM_UP = 20
/** The pause between two changes: longer than the 50 ms within which changes are one event. */
const PAUSE_MS = 80
const GOAL_MS = 150
const FLAGS = 100
/** The index of a seeded flag of text type without rules and with a full rollout. */
const TEXT_FLAG = 7

export const openfeature = {
  title: 'OpenFeature: from the start of a PATCH to ConfigurationChanged in the official web provider',
  async run(context) {
    const { progress, quick } = context
    progress(`${FLAGS} flags, OFREP with an event stream`)
    const times = await measureChanges(context, quick ? 50 : 200)
    const row = [
      '@openfeature/ofrep-web-provider',
      figure(percentile(times, 50), 'ms'),
      figure(percentile(times, 99), 'ms', { atMost: GOAL_MS }),
      figure(Math.max(...times), 'ms'),
    ]
    return [{ columns: ['Provider', 'p50', 'p99', 'slowest'], rows: [row] }]
  },
}

async function measureChanges({ postgres, startServer }, changes) {
  const server = await startServer({ databaseUrl: await postgres.createDatabase() })
  try {
    const environment = await firstEnvironment(server)
    await seedFlags(server, environment, FLAGS)
    await warmUp(server, [environment], WARM_UP_WRITES)
    return await measure(server, environment, changes)
  } finally {
    await server.stop()
  }
}

async function measure({ port, url }, environment, changes) {
  const flag_key = flagKey(TEXT_FLAG)
  const execArgv = ['--experimental-eventsource', '--no-warnings']
  const reader = fork(READER, [url, environment.sdk_key, flag_key], { execArgv })
  const connection = await openHttpConnection(port)
  const times = []
  try {
    await once(reader, 'message')
    for (let at = -WARM_UP; at < changes; at++) {
      const default_value = `value ${at}`
      const from = monotonicMs()
      const [{ status, body }, seenAt] = await Promise.all([
        connection.send(patchBytes(environment, flag_key, { default_value })),
        whenSeen(reader, default_value),
      ])
      if (status !== 200) throw new Error(`PATCH returned ${status}: ${body}`)
      if (at >= 0) times.push(seenAt - from)
      await delay(PAUSE_MS)
    }
  } finally {
    connection.close()
    await stopProcess(reader)
  }
  return times
}

/** Resolves with the time at which the provider announced a value; an event may still have the one before. */
async function whenSeen(reader, wanted) {
  for (;;) {
    const [{ seenAt, value }] = await once(reader, 'message')
    if (value === wanted) return seenAt
  }
}
