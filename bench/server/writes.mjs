import { openBareStatements } from '../harness/bare-statements.mjs'
import { openHttpConnection, patchBytes } from '../harness/http-connection.mjs'
import { createEnvironments, flagKey, seedFlags } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { processorMs } from '../harness/process-usage.mjs'
import { figure } from '../harness/result-table.mjs'
import { warmUp } from './warm-up.mjs'

const ENVIRONMENTS = 8
const FLAGS = 10
const WARM_UP_WRITES = 3_000
const QUICK_WARM_UP_WRITES = 1_000
const MS_PER_SECOND = 1000
/** The part of a window in which the bare statements run. */
const BARE_SHARE = 0.5

const KINDS = [
  { name: 'one after another', writers: 1, environments: 1, goal: { atLeast: 60 } },
  { name: '8 writers, 8 environments', writers: 8, environments: 8, goal: { atLeast: 40 } },
  { name: '8 writers, one environment', writers: 8, environments: 1 },
]

export const writes = {
  title: 'Flag writes: PATCHes a second, each durable with revision, change, audit entry and event',
  sections: () => [
    {
      columns: [
        'Writers',
        'writes a second',
        'p50',
        'p99',
        'processor: server',
        'bare statements a second, as many connections',
        'of them',
      ],
      compared: ['writes a second', 'of them'],
      open,
    },
  ],
}

async function open({ postgres, progress, quick, startServer }) {
  const databaseUrl = await postgres.createDatabase()
  const server = await startServer({ databaseUrl })
  const environments = await createEnvironments(server, ENVIRONMENTS)
  for (const environment of environments) await seedFlags(server, environment, FLAGS)
  progress('warming up')
  await warmUp(server, environments, quick ? QUICK_WARM_UP_WRITES : WARM_UP_WRITES)
  const bareUrl = await postgres.createDatabase()
  return {
    rows: KINDS.map((kind) => ({
      name: kind.name,
      measure: (ms) => measure(server, environments, { bareUrl, kind, ms }),
    })),
    close: () => server.stop(),
  }
}

async function measure(server, environments, { bareUrl, kind, ms }) {
  const lanes = Array.from({ length: kind.writers }, (_, at) => ({
    environment: environments[at % kind.environments],
    flag_key: flagKey(at),
  }))
  const processorBefore = processorMs(server.pid)
  const { took_ms, times } = await writeFor(server, lanes, ms)
  const busy = (processorMs(server.pid) - processorBefore) / took_ms
  const bare = await openBareStatements(bareUrl, kind.writers)
  const bareRate = await bare.measure(ms * BARE_SHARE).finally(bare.close)
  const rate = (times.length / took_ms) * MS_PER_SECOND
  return [
    figure(rate, ''),
    figure(percentile(times, 50), 'ms'),
    figure(percentile(times, 99), 'ms'),
    figure(busy * 100, '%'),
    figure(bareRate, ''),
    figure((rate / bareRate) * 100, '%', kind.goal),
  ]
}

/** Writes in lanes, each with its own connection and the next write after the last response. */
async function writeFor({ port }, lanes, ms) {
  const startedAt = monotonicMs()
  const times = []
  await Promise.all(
    lanes.map(async ({ environment, flag_key }) => {
      const connection = await openHttpConnection(port)
      for (let at = 0; monotonicMs() - startedAt < ms; at++) {
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
