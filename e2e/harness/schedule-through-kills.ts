import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../packages/server/test/harness/eventually.ts'
import { callApi, putFlag, signIn } from './call-api.ts'
import { freePort } from './free-port.ts'
import type { Stage } from './open-stage.ts'
import { type RunningServer, startServer } from './start-server.ts'
import { withDatabase } from './with-database.ts'

const INSTANCES = 3
const FLAGS_PER_ENVIRONMENT = 5
/** The concurrent requests that create changes. */
const CREATORS = 4
/** The time until the first change is due, far enough ahead that all are stored before. */
const STORED_AHEAD_MS = 24 * 60 * 60_000
/** The time from now until the first is due, once all are stored and moved forward. */
const LEAD_MS = 500
const EXECUTED_WITHIN_MS = 60_000

export interface ScheduledRun {
  /** The changes in the order of their execution. */
  readonly changes: readonly ExecutedChange[]
  readonly created: number
  readonly kills: number
  /** The transactions that ended without a commit, failed attempts of instances included. */
  readonly rolledBack: number
}

export interface ExecutedChange {
  readonly id: string
  readonly environment_id: string
  readonly scheduled_at: Date
  /** Null when it was missed. */
  readonly executed_at: Date | null
  readonly error: string | null
  /**
   * The number of audit entries of its execution; each is stored with the change itself, in one transaction.
   */
  readonly executions: number
  /** The number of its events. */
  readonly events: number
  /** The position of its last execution in the log. */
  readonly position: number
}

interface Wanted {
  readonly changes: number
  /** The milliseconds from the first to the last due change. */
  readonly overMs: number
  readonly killEveryMs: number
}

/**
 * Schedules changes in the three environments of a project and kills one of three server processes with
 * SIGKILL periodically, each restarted immediately, until the last change is due and all are executed.
 */
export async function scheduleThroughKills(
  stage: Stage,
  databaseUrl: string,
  wanted: Wanted,
): Promise<ScheduledRun> {
  const servers: RunningServer[] = []
  for (let index = 0; index < INSTANCES; index += 1) {
    servers.push(await startServer(stage, { databaseUrl, port: await freePort() }))
  }
  const storedFor = Date.now() + STORED_AHEAD_MS
  await createChanges(servers, wanted, storedFor)
  const rolledBack = await countRollbacks(databaseUrl)
  const firstDueAt = Date.now() + LEAD_MS
  await bringForward(databaseUrl, storedFor - firstDueAt)
  const kills = await killUntil(stage, servers, firstDueAt + wanted.overMs, {
    databaseUrl,
    everyMs: wanted.killEveryMs,
  })
  await eventually(
    async () => (await readChanges(databaseUrl)).every((change) => change.executed_at),
    EXECUTED_WITHIN_MS,
  )
  const run = {
    changes: await readChanges(databaseUrl),
    created: wanted.changes,
    kills,
    rolledBack: (await countRollbacks(databaseUrl)) - rolledBack,
  }
  await Promise.all(servers.map((server) => server.stop()))
  return run
}

async function createChanges(
  servers: readonly RunningServer[],
  { changes, overMs }: Wanted,
  firstDueAt: number,
): Promise<void> {
  const [{ url } = { url: '' }] = servers
  const admin = await signIn(url)
  const [project] = (await callApi(url, 'GET', '/api/projects', undefined, admin)).body
  const path = `/api/projects/${project.id}/environments`
  const environments = (await callApi(url, 'GET', path, undefined, admin)).body
  const flags: string[] = []
  for (let index = 0; index < FLAGS_PER_ENVIRONMENT; index += 1) {
    for (const { id } of environments) {
      await putFlag(url, id, { key: `flag-${index}` }, admin)
      flags.push(`/api/environments/${id}/flags/flag-${index}`)
    }
  }
  let next = 0
  const create = async () => {
    while (next < changes) {
      const number = next
      next += 1
      const body = {
        scheduled_at: new Date(firstDueAt + (number * overMs) / changes).toISOString(),
        patch: { description: `change ${number}` },
      }
      const at = servers[number % servers.length]?.url ?? url
      const answer = await callApi(
        at,
        'POST',
        `${flags[number % flags.length]}/scheduled-changes`,
        body,
        admin,
      )
      if (answer.status !== 200) throw new Error(`scheduling returned ${answer.status}`)
    }
  }
  await Promise.all(Array.from({ length: CREATORS }, create))
}

async function bringForward(databaseUrl: string, byMs: number): Promise<void> {
  await withDatabase(databaseUrl, (pool) =>
    pool.query("update scheduled_changes set scheduled_at = scheduled_at - $1 * interval '1 millisecond'", [
      byMs,
    ]),
  )
}

/** Kills one after the other, each restarted before the next is killed. Returns the number of kills. */
async function killUntil(
  stage: Stage,
  servers: RunningServer[],
  endAt: number,
  { databaseUrl, everyMs }: { readonly databaseUrl: string; readonly everyMs: number },
): Promise<number> {
  let kills = 0
  for (let at = Date.now() + everyMs; at < endAt; at += everyMs) {
    await delay(Math.max(0, at - Date.now()))
    const index = kills % servers.length
    const server = servers[index]
    if (!server) break
    server.kill('SIGKILL')
    kills += 1
    await server.exited
    servers[index] = await startServer(stage, { databaseUrl, port: Number(new URL(server.url).port) })
  }
  await delay(Math.max(0, endAt - Date.now()))
  return kills
}

async function readChanges(databaseUrl: string): Promise<ExecutedChange[]> {
  return withDatabase(databaseUrl, async (pool) => {
    const { rows } = await pool.query(`
      select id, environment_id, scheduled_at, executed_at, error,
        coalesce(executed.executions, 0)::int as executions, coalesce(executed.events, 0)::int as events,
        coalesce(executed.position, 0)::int as position
      from scheduled_changes change
      left join (
        select metadata->>'scheduled_change_id' as change_id, count(*) as executions, max(entry.id) as position,
          sum((select count(*) from domain_events event
            where event.type = 'flag.updated' and event.environment_id = entry.environment_id
              and event.data->'flag'->>'revision' = entry.after_data->>'revision')) as events
        from audit_log entry
        where metadata->>'origin' = 'schedule'
        group by 1
      ) executed on executed.change_id = change.id::text
      order by executed.position nulls last
    `)
    return rows.map(({ executed_at, scheduled_at, ...row }) => ({
      ...row,
      scheduled_at: new Date(scheduled_at),
      executed_at: executed_at === null ? null : new Date(executed_at),
    }))
  })
}

async function countRollbacks(databaseUrl: string): Promise<number> {
  return withDatabase(databaseUrl, async (pool) => {
    const { rows } = await pool.query(
      'select xact_rollback::int as count from pg_stat_database where datname = current_database()',
    )
    return rows[0].count
  })
}
