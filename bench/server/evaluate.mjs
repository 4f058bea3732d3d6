import { firstEnvironment } from '../harness/installation.mjs'
import { EVALUATE_COLUMNS, measureEvaluate } from './measure-evaluate.mjs'
import { manyFlagKey, seedManyFlags } from './seed-many-flags.mjs'

const FLAGS = 10_000
const NAMED = 100
const ROUNDS = { named: 1_000, all: 50 }
const QUICK_ROUNDS = { named: 100, all: 10 }
const NAMED_GOALS = { p50: { atMost: 6 }, p99: { atMost: 12 } }
const ALL_GOALS = { first: { atMost: 50 }, health: { atMost: 50 } }

const names = (round) => Array.from({ length: NAMED }, (_, at) => manyFlagKey((round * NAMED + at) % FLAGS))

/** The requests: named flags, and all of the environment. */
const kinds = ({ all, named }) => [
  {
    name: '100 named flags',
    rounds: named,
    body: (round) => ({ flag_keys: names(round) }),
  },
  {
    name: '100 named flags with trace',
    rounds: named,
    goals: NAMED_GOALS,
    body: (round) => ({ flag_keys: names(round), trace: true }),
  },
  {
    name: 'one flag with trace',
    rounds: named,
    body: (round) => ({ flag_keys: [manyFlagKey(round % FLAGS)] }),
  },
  { name: '10,000 flags', rounds: all, body: () => ({}) },
  { name: '10,000 flags with trace', rounds: all, goals: ALL_GOALS, body: () => ({ trace: true }) },
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
        rows.push(await measureEvaluate(server, environment, kind))
      return [{ columns: EVALUATE_COLUMNS, rows }]
    } finally {
      await server.stop()
    }
  },
}
