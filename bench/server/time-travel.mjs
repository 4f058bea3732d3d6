import { firstEnvironment } from '../harness/installation.mjs'
import { withDatabase } from '../harness/start-postgres.mjs'
import { EVALUATE_COLUMNS, measureEvaluate } from './measure-evaluate.mjs'
import { manyFlagKey, seedManyFlags } from './seed-many-flags.mjs'

const FLAGS = 10_000
/** The changes of the environment: each flag is changed in turn, every second. */
const CHANGES = 200_000
const ROUNDS = { one: 300, all: 30 }
const QUICK_ROUNDS = { one: 100, all: 10 }
const ONE_GOALS = { p99: { atMost: 20 } }
const ALL_GOALS = { p50: { atMost: 250 }, p99: { atMost: 350 } }
/** A prime, so that the rounds read moments all over the history. */
const STRIDE = 7_919
const MS_PER_SECOND = 1_000

export const timeTravel = {
  title: `POST evaluate at past moments: ${FLAGS.toLocaleString('en-US')} flags with ${CHANGES.toLocaleString('en-US')} changes`,
  async run({ postgres, quick, progress, startServer }) {
    const databaseUrl = await postgres.createDatabase()
    const seeded = await startServer({ databaseUrl })
    const environment = await firstEnvironment(seeded)
    progress(`seeding ${FLAGS} flags`)
    await seedManyFlags(seeded, environment, FLAGS)
    await seeded.stop()
    progress(`seeding ${CHANGES} changes`)
    const { first_ms } = await seedChanges(databaseUrl, environment)
    const server = await startServer({ databaseUrl })
    try {
      progress('requests')
      const rounds = quick ? QUICK_ROUNDS : ROUNDS
      const at = (round) => new Date(first_ms + ((round * STRIDE) % CHANGES) * MS_PER_SECOND).toISOString()
      const rows = []
      for (const kind of kinds(rounds, at)) rows.push(await measureEvaluate(server, environment, kind))
      return [{ columns: EVALUATE_COLUMNS, rows }]
    } finally {
      await server.stop()
    }
  },
}

const kinds = ({ all, one }, at) => [
  {
    name: 'one flag at a past moment, with trace',
    rounds: one,
    goals: ONE_GOALS,
    body: (round) => ({ at: at(round), flag_keys: [manyFlagKey(round % FLAGS)] }),
  },
  {
    name: '100 flags at a past moment',
    rounds: one,
    body: (round) => ({
      at: at(round),
      flag_keys: Array.from({ length: 100 }, (_, nth) => manyFlagKey((round * 100 + nth) % FLAGS)),
    }),
  },
  {
    name: '10,000 flags at a past moment',
    rounds: all,
    goals: ALL_GOALS,
    body: (round) => ({ at: at(round) }),
  },
]

/** Adds changes after the present ones, as if each flag had been changed again and again. */
async function seedChanges(databaseUrl, { environment_id }) {
  return withDatabase(databaseUrl, async (client) => {
    for (let first = 1; first <= CHANGES; first += FLAGS) {
      await client.query(
        `with flags as materialized (
           select row_number() over (order by flag_key) as nth, flag_key, flag, flag_size, origins, bytes, audit_id
           from (select distinct on (flag_key) * from environment_changes
                 where environment_id = $1 and kind = 'upsert' order by flag_key, revision desc) latest
         ), base as (select revision, now() - $3::int * interval '1 second' as since from environments where id = $1)
         insert into environment_changes
           (environment_id, revision, kind, flag_key, flag, flag_size, origins, bytes, audit_id, created_at)
         select $1, revision + n, 'upsert', flag_key, flag, flag_size, origins, bytes, audit_id, since + n * interval '1 second'
         from base, flags, lateral (select $2::int - 1 + nth as n) at order by n`,
        [environment_id, first, CHANGES],
      )
    }
    // The flags were created before the changes.
    await client.query(
      `update environment_changes set created_at = created_at - ($2::int + 3600) * interval '1 second'
       where environment_id = $1 and revision <= (select revision from environments where id = $1)`,
      [environment_id, CHANGES],
    )
    await client.query(
      `update environments set revision = revision + $2::int,
         history_since = (select min(created_at) from environment_changes where environment_id = $1)
       where id = $1`,
      [environment_id, CHANGES],
    )
    const { rows } = await client.query(
      `select extract(epoch from max(created_at) - $2::int * interval '1 second')::float8 * 1000 as first_ms
       from environment_changes where environment_id = $1`,
      [environment_id, CHANGES - 1],
    )
    await client.query('vacuum analyze environment_changes')
    return rows[0]
  })
}
