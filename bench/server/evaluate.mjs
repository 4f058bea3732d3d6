import { firstEnvironment } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { figure } from '../harness/result-table.mjs'
import { manyFlagKey, seedManyFlags } from './seed-many-flags.mjs'

const FLAGS = 10_000
const NAMED = 100
const ROUNDS = { named: 1_000, all: 50 }
const QUICK_ROUNDS = { named: 100, all: 10 }
const WARM_UP_ROUNDS = 20
const NAMED_GOAL_MS = 20
const BYTES_PER_KB = 1000

const names = (round) => Array.from({ length: NAMED }, (_, at) => manyFlagKey((round * NAMED + at) % FLAGS))

/** The requests: named flags, and all of the environment. */
const kinds = ({ all, named }) => [
  {
    name: '100 named flags',
    rounds: named,
    goal: NAMED_GOAL_MS,
    body: (round) => ({ flag_keys: names(round) }),
  },
  {
    name: '100 named flags with trace',
    rounds: named,
    goal: NAMED_GOAL_MS,
    body: (round) => ({ flag_keys: names(round), trace: true }),
  },
  {
    name: 'one flag with trace',
    rounds: named,
    body: (round) => ({ flag_keys: [manyFlagKey(round % FLAGS)] }),
  },
  { name: '10,000 flags', rounds: all, body: () => ({}) },
  { name: '10,000 flags with trace', rounds: all, body: () => ({ trace: true }) },
]

export const evaluate = {
  title: `POST evaluate in an environment of ${FLAGS.toLocaleString('en-US')} flags, five rules each`,
  async run({ postgres, quick, progress, startServer }) {
    const server = await startServer({ databaseUrl: await postgres.createDatabase() })
    try {
      const environment = await firstEnvironment(server)
      progress(`seeding ${FLAGS} flags`)
      await seedManyFlags(server, environment, FLAGS)
      progress('requests')
      const rows = []
      for (const kind of kinds(quick ? QUICK_ROUNDS : ROUNDS))
        rows.push(await measure(server, environment, kind))
      return [{ columns: ['Request', 'p50', 'p99', 'size of the answer'], rows }]
    } finally {
      await server.stop()
    }
  },
}

/** Sends the requests one after another; the time ends with the last byte. */
async function measure({ url }, { environment_id, sdk_key }, { body, goal = undefined, name, rounds }) {
  const target = `${url}/api/environments/${environment_id}/evaluate`
  const times = []
  let bytes = 0
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
    const user = { user_key: `user-${round}`, attributes: { plan: 'pro', country: 'NO', age: round % 90 } }
    const from = monotonicMs()
    const answer = await fetch(target, {
      method: 'POST',
      headers: { authorization: `Bearer ${sdk_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...user, ...body(round) }),
    })
    bytes = (await answer.arrayBuffer()).byteLength
    if (answer.status !== 200) throw new Error(`${name} returned ${answer.status}`)
    if (round >= WARM_UP_ROUNDS) times.push(monotonicMs() - from)
  }
  return [
    name,
    figure(percentile(times, 50), 'ms'),
    figure(percentile(times, 99), 'ms', goal ? { atMost: goal } : undefined),
    figure(bytes / BYTES_PER_KB, 'KB'),
  ]
}
