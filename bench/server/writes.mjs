import { openHttpConnection, patchBytes } from '../harness/http-connection.mjs'
import { createEnvironments, flagKey, seedFlags } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { processorMs } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'
import { startServer } from '../harness/start-server.mjs'
import { warmUp } from './warm-up.mjs'

const ENVIRONMENTS = 8
const FLAGS = 10
const MS = 10_000
const QUICK_MS = 2_000
const WARM_UP_WRITES = 3_000
const MS_PER_SECOND = 1000

const KINDS = [
  { name: 'one after another', writers: 1, environments: 1, goal: { atLeast: 600 } },
  { name: '8 writers, 8 environments', writers: 8, environments: 8, goal: { atLeast: 1_500 } },
  { name: '8 writers, one environment', writers: 8, environments: 1 },
]

export const writes = {
  title: 'Flag writes: PATCHes a second, each durable with revision, change, audit entry and event',
  async run({ postgres, quick, progress }) {
    const server = await startServer({ databaseUrl: await postgres.createDatabase() })
    try {
      const environments = await createEnvironments(server, ENVIRONMENTS)
      for (const environment of environments) await seedFlags(server, environment, FLAGS)
      progress('warming up')
      await warmUp(server, environments, WARM_UP_WRITES)
      const rows = []
      for (const kind of KINDS) {
        progress(kind.name)
        rows.push(await measure(server, environments, kind, quick ? QUICK_MS : MS))
      }
      return [{ columns: COLUMNS, rows }]
    } finally {
      await server.stop()
    }
  },
}

const COLUMNS = ['Writers', 'writes a second', 'p50', 'p99', 'processor: server']

async function measure(server, environments, kind, duration_ms) {
  const lanes = Array.from({ length: kind.writers }, (_, at) => ({
    environment: environments[at % kind.environments],
    flag_key: flagKey(at),
  }))
  const processorBefore = processorMs(server.pid)
  const { took_ms, times } = await writeFor(server, lanes, duration_ms)
  return [
    kind.name,
    figure((times.length / took_ms) * MS_PER_SECOND, '', kind.goal),
    figure(percentile(times, 50), 'ms'),
    figure(percentile(times, 99), 'ms'),
    figure(((processorMs(server.pid) - processorBefore) / took_ms) * 100, '%'),
  ]
}

/** Writes in lanes, each with its own connection and the next write after the last response. */
async function writeFor({ port }, lanes, duration_ms) {
  const startedAt = monotonicMs()
  const times = []
  await Promise.all(
    lanes.map(async ({ environment, flag_key }) => {
      const connection = await openHttpConnection(port)
      for (let at = 0; monotonicMs() - startedAt < duration_ms; at++) {
        const bytes = patchBytes(environment, flag_key, { rollout_percentage: at % 100 })
        const from = monotonicMs()
        const { status, body } = await connection.send(bytes)
        if (status !== 200) throw new Error(`PATCH returned ${status}: ${body}`)
        times.push(monotonicMs() - from)
      }
      connection.close()
    }),
  )
  return { took_ms: monotonicMs() - startedAt, times }
}
