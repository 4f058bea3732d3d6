import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { callApi, putFlag, signIn } from '../../harness/call-api.ts'
import { startPostgres } from '../../harness/start-postgres.ts'
import { type RunningServer, startServer } from '../../harness/start-server.ts'
import { withDatabase } from '../../harness/with-database.ts'
import { inThousands } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'

const INSTANCES = { short: 1, full: 3 }
const WRITERS = { short: 10, full: 60 }
/** The changes of the busy environment that are due at the same moment. */
const DUE_THERE = { short: 5, full: 20 }
/** The changes of the idle environment, which become due one after another. */
const DUE_IDLE = { short: 5, full: 20 }
const IDLE_EVERY_MS = 200
const LOCKED_MS = { short: 1_000, full: 4_400 }
const APPLIED_FLAGS = { short: 60, full: 600 }
const LEAD_MS = 1_000
const PATIENCE_MS = 60_000
const IDLE_LATE_MAX_MS = 1_000
const BUSY_LATE_MAX_MS = 2_000

export const fault: Fault = {
  group: 'dependencies',
  title:
    'Scheduled changes of an idle environment beside one that is busy: 60 writers and 20 changes due at the same time; its row or the row of a flag locked for 4.4 s; an apply of 600 flags',
  promise:
    'No change of the idle environment is more than 1 s late. None of the 20 is more than 2 s late. Each is executed exactly once and none with an error, on one instance and on three.',
  async run(stage, scale) {
    const postgres = await startPostgres()
    const seen: string[] = []
    const broken: string[] = []
    for (const instances of new Set([1, countOf(scale, INSTANCES)])) {
      const databaseUrl = await postgres.createDatabase()
      const servers: RunningServer[] = []
      for (let index = 0; index < instances; index += 1)
        servers.push(await startServer(stage, { databaseUrl }))
      const place = await openEnvironments(databaseUrl, servers)
      for (const [name, disturb] of Object.entries(DISTURBANCES)) {
        const late = await measure(place, {
          there: name === 'writers' ? DUE_THERE[scale] : 2,
          idle: DUE_IDLE[scale],
          disturb: () => disturb(place, scale),
        })
        seen.push(
          `${name}: ${inThousands(late.idle)} ms, there ${inThousands(late.there)} ms` +
            (name === 'writers' ? ` and ${late.passed} writes of requests meanwhile` : ''),
        )
        broken.push(...late.broken.map((what) => `${name}: ${what}`))
        if (scale === 'short') continue
        if (late.idle > IDLE_LATE_MAX_MS) broken.push(`${name}: a change was ${late.idle} ms late.`)
        if (name === 'writers' && late.there > BUSY_LATE_MAX_MS)
          broken.push(`${name}: a change there was ${late.there} ms late.`)
      }
      await Promise.all(servers.map((server) => server.stop()))
    }
    await postgres.close()
    const all = INSTANCES[scale] === 1 ? '1 instance' : '1 instance, then 3'
    return { times: all, seen: `latest change of the idle one ${seen.join('; ')}`, broken }
  },
}

interface Environments {
  readonly databaseUrl: string
  readonly urls: readonly string[]
  readonly busy: string
  readonly idle: string
  readonly headers: Readonly<Record<string, string>>
}

const FLAGS = 10

async function openEnvironments(
  databaseUrl: string,
  servers: readonly RunningServer[],
): Promise<Environments> {
  const urls = servers.map(({ url }) => url)
  const [url = ''] = urls
  const headers = await signIn(url)
  const { body: projects } = await callApi(url, 'GET', '/api/projects', undefined, headers)
  const path = `/api/projects/${projects[0].id}/environments`
  const { body } = await callApi(url, 'GET', path, undefined, headers)
  const [busy, idle]: string[] = body.map(({ id }: { id: string }) => id)
  if (!busy || !idle) throw new Error('the set-up creates several environments')
  for (const id of [busy, idle])
    for (let index = 0; index < FLAGS; index += 1)
      await putFlag(url, id, { key: `flag-${index}`, flag_type: 'integer', default_value: 0 }, headers)
  return { databaseUrl, urls, busy, idle, headers }
}

/** Starts something that makes the environment busy. Resolves when it goes on; the result ends it. */
type Disturb = (place: Environments, scale: 'short' | 'full') => Promise<() => Promise<void>>

const DISTURBANCES: Readonly<Record<string, Disturb>> = {
  async writers({ busy, headers, urls }, scale) {
    let isOver = false
    const write = async (index: number) => {
      const url = urls[index % urls.length] ?? ''
      const path = `/api/environments/${busy}/flags/flag-${index % FLAGS}`
      for (let value = 0; !isOver; value += 1)
        await callApi(url, 'PATCH', path, { default_value: value }, headers)
    }
    const writing = Array.from({ length: WRITERS[scale] }, (_, index) => write(index))
    return async () => {
      isOver = true
      await Promise.all(writing)
    }
  },
  'locked environment': ({ busy, databaseUrl }, scale) =>
    holdRow(databaseUrl, LOCKED_MS[scale], `select from environments where id = '${busy}' for update`),
  'locked flags': ({ busy, databaseUrl }, scale) =>
    holdRow(databaseUrl, LOCKED_MS[scale], `select from flags where environment_id = '${busy}' for update`),
  async apply({ busy, headers, urls }, scale) {
    const flags = Array.from({ length: APPLIED_FLAGS[scale] }, (_, index) => ({
      key: `applied-${index}`,
      rollout_percentage: Math.floor(Math.random() * 100),
      create: { is_enabled: true },
    }))
    const path = `/api/environments/${busy}/apply`
    // It begins when the first changes are due.
    const applying = delay(LEAD_MS / 2).then(() => callApi(urls[0] ?? '', 'POST', path, { flags }, headers))
    return async () => {
      const { status } = await applying
      if (status !== 200) throw new Error(`the apply returned ${status}`)
    }
  },
}

async function holdRow(databaseUrl: string, ms: number, statement: string): Promise<() => Promise<void>> {
  const holding = withDatabase(databaseUrl, async (pool) => {
    const session = await pool.connect()
    await session.query('begin')
    await session.query(statement)
    await delay(LEAD_MS + ms)
    await session.query('rollback')
    session.release()
  })
  return () => holding
}

interface Wanted {
  readonly there: number
  readonly idle: number
  readonly disturb: () => Promise<() => Promise<void>>
}

/** Returns how late the latest change of each environment was, in milliseconds, and what went wrong. */
async function measure(place: Environments, { disturb, idle, there }: Wanted) {
  const { busy, databaseUrl } = place
  const later = new Date(Date.now() + 24 * 3_600_000).toISOString()
  const ids = {
    there: await scheduleMany(place, busy, there, later),
    idle: await scheduleMany(place, place.idle, idle, later),
  }
  const end = await disturb()
  await withDatabase(databaseUrl, async (pool) => {
    const move = `update scheduled_changes set scheduled_at = now() + ($3 + position_in_list * $2) * interval '1 ms'
      from unnest($1::uuid[]) with ordinality as listed(change_id, position_in_list) where id = change_id`
    await pool.query(move, [ids.there, 0, LEAD_MS])
    await pool.query(move, [ids.idle, IDLE_EVERY_MS, LEAD_MS])
  })
  const all = [...ids.there, ...ids.idle]
  await eventually(
    async () => (await readExecutions(databaseUrl, all)).every(({ late }) => late !== null),
    PATIENCE_MS,
  )
  await end()
  const executions = await readExecutions(databaseUrl, all)
  const latest = (wanted: readonly string[]) =>
    Math.max(...executions.filter(({ id }) => wanted.includes(id)).map(({ late }) => late ?? 0))
  const wrong = executions.filter(({ entries, error }) => entries !== 1 || error !== null)
  return {
    there: latest(ids.there),
    passed: await countWrites(databaseUrl, busy, ids.there),
    idle: latest(ids.idle),
    broken: wrong.map(({ entries, error, id }) => `Change ${id} has ${entries} entries, error ${error}.`),
  }
}

async function scheduleMany(
  { headers, urls }: Environments,
  environmentId: string,
  count: number,
  scheduled_at: string,
): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const path = `/api/environments/${environmentId}/flags/flag-${index % FLAGS}/scheduled-changes`
    const body = { scheduled_at, patch: { description: `change ${index}` } }
    const answer = await callApi(urls[0] ?? '', 'POST', path, body, headers)
    if (answer.status !== 200) throw new Error(`scheduling returned ${answer.status}`)
    ids.push(answer.body.id)
  }
  return ids
}

interface ExecutedChange {
  readonly id: string
  readonly error: string | null
  readonly entries: number
  /** The milliseconds from its time to the transaction that executed it; null when there was none yet. */
  readonly late: number | null
}

const readExecutions = (databaseUrl: string, ids: readonly string[]): Promise<readonly ExecutedChange[]> =>
  withDatabase(databaseUrl, async (pool) => {
    const { rows } = await pool.query<ExecutedChange>(
      `select id, error, (extract(epoch from executed_at - scheduled_at) * 1000)::int as late,
        (select count(*)::int from audit_log
          where metadata->>'origin' = 'schedule' and metadata->>'scheduled_change_id' = change.id::text) as entries
      from scheduled_changes change where id = any($1)`,
      [ids],
    )
    return rows
  })

/** Counts the writes of requests between the time of the changes and the execution of the last of them. */
const countWrites = (databaseUrl: string, environmentId: string, ids: readonly string[]): Promise<number> =>
  withDatabase(databaseUrl, async (pool) => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from audit_log
      where environment_id = $2 and metadata->>'origin' = 'direct'
        and created_at between (select min(scheduled_at) from scheduled_changes where id = any($1))
          and (select max(executed_at) from scheduled_changes where id = any($1))`,
      [ids, environmentId],
    )
    return rows[0]?.count ?? 0
  })
