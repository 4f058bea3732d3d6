const MS_PER_DAY = 86_400_000
const HASH = (column) => `substr(sha256(convert_to(${column}, 'UTF8')), 1, 16)`

/** The flag with three values. Other flags have true or false. */
export const variantFlag = 'flag-00'
export const goalKey = 'order-placed'

/**
 * Fills an environment with impressions that arrived over the last `days` days, and with their rollups: a
 * user sees a flag repeatedly, always with the same value. A tenth of the users reach the goal. The rollups
 * are counted from the rows by SQL, independently of ingest.
 */
export async function seedImpressions(client, { environment_id, rows, users, flags, days }, progress) {
  const today = Math.floor(Date.now() / MS_PER_DAY)
  const dayText = (day) => new Date(day * MS_PER_DAY).toISOString().slice(0, 10)
  const rowsPerDay = Math.ceil(rows / days)
  for (let at = 0; at < days; at++) {
    const day = dayText(today - days + 1 + at)
    await makePartitions(client, day, dayText(today - days + 2 + at))
    await client.query(
      `insert into impressions (id, environment_id, flag_key, user_id, value, evaluated_at, received_on)
       select id, $1, flag_key, 'user-' || u, case
           when flag_key = '${variantFlag}' then (array['blue', 'green', 'red'])[1 + u % 3]
           else ((u / 7) % 2 = 0)::text end,
         $2::date + (id - $3) * interval '1 day' / ($4 - $3 + 1), $2::date
       from (
         select id, hashint8(id) & 2147483647 as h, (hashint8(id * 31 + 7) & 2147483647) % ${users} as u
         from generate_series($3::bigint, $4::bigint) as id
       ) as drawn, lateral (select 'flag-' || lpad((h % ${flags})::text, 2, '0') as flag_key) as flag`,
      [environment_id, day, at * rowsPerDay + 1, Math.min((at + 1) * rowsPerDay, rows)],
    )
    progress(`${Math.min((at + 1) * rowsPerDay, rows)} impressions`)
  }
  await client.query(
    `update report_counters set last_id = $2, received_on = $3, day_first_id = $4
     where environment_id = $1 and kind = 'impression'`,
    [environment_id, rows, dayText(today), (days - 1) * rowsPerDay + 1],
  )
  progress('rollups')
  await countRollups(client, environment_id)
  progress('goal')
  await seedGoal(client, environment_id, users)
  await client.query('vacuum analyze')
}

async function makePartitions(client, day, nextDay) {
  for (const table of ['impressions', 'goal_events']) {
    const name = `${table}_${day.replaceAll('-', '')}`
    const { rows } = await client.query('select to_regclass($1) is not null as found', [name])
    if (rows[0].found) continue
    await client.query(
      `create table ${name} partition of ${table} for values from ('${day}') to ('${nextDay}')`,
    )
  }
}

/** Counts the rollups from the rows. */
export async function countRollups(client, environment_id) {
  const ofEnvironment = `where environment_id = '${environment_id}'`
  await client.query(`
    insert into impression_values (environment_id, flag_key, value_hash, value, impressions, unique_users, last_seen, last_id)
    select environment_id, flag_key, ${HASH('value')}, value, sum(n), count(user_id), max(last_seen), max(last_id) from (
      select environment_id, flag_key, value, user_id, count(*) as n, max(evaluated_at) as last_seen, max(id) as last_id
      from impressions ${ofEnvironment} group by 1, 2, 3, 4) as by_user
    group by 1, 2, 4`)
  await client.query(`
    insert into impression_users (environment_id, flag_key, user_hash, value_hash, first_at, first_id)
    select environment_id, flag_key, ${HASH('user_id')}, ${HASH('value')}, min(evaluated_at), min(id)
    from impressions ${ofEnvironment} and user_id is not null
    group by environment_id, flag_key, user_id, value order by min(id)`)
  await client.query(`
    insert into impression_flags (environment_id, flag_key, unique_users, version)
    select environment_id, flag_key, count(distinct user_hash), 1 from impression_users ${ofEnvironment} group by 1, 2`)
  await client.query(`
    insert into impression_days (environment_id, flag_key, value_hash, day, received_on, impressions)
    select environment_id, flag_key, ${HASH('value')}, (evaluated_at at time zone 'UTC')::date, received_on, count(*)
    from impressions ${ofEnvironment} group by environment_id, flag_key, value, 4, 5`)
}

async function seedGoal(client, environment_id, users) {
  await client.query(
    `insert into goal_users (environment_id, event_key, user_hash, first_at, last_at)
     select $1, '${goalKey}', ${HASH("'user-' || u")}, now() - interval '1 hour', now()
     from generate_series(0, ${users} - 1, 10) as u`,
    [environment_id],
  )
  await client.query(
    `insert into goals (environment_id, event_key, total, unique_users, last_seen, version)
     select environment_id, event_key, count(*), count(*), max(last_at), 1 from goal_users
     where environment_id = $1 group by 1, 2`,
    [environment_id],
  )
}
