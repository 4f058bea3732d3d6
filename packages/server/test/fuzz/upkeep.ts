import { sql } from 'kysely'
import type { TestServer } from '../harness/start-test-server.ts'
import { FIXED_PREFIX, SPARE } from './seed-rows.ts'

/** The number of things of each kind: enough to aim at, few enough for short lists and bootstraps. */
const FLAGS = { least: 25, most: 60 }
const SEGMENTS = { least: 8, most: 20 }
const USERS_MOST = 120
const PROJECTS_MOST = 6
const ENVIRONMENTS_MOST = 8
const KEYS_MOST = 40
const TOKENS_MOST = 40
const PENDING_LEAST = 6
const RECEIVERS_MOST = 5

interface Kept {
  readonly environmentIds: readonly string[]
  readonly keptProjects: readonly string[]
  readonly known: Readonly<Record<'flag' | 'segment', Map<string, readonly string[]>>>
}

/**
 * Maintains the things. Flags and segments are created and deleted through the API, because each change is a
 * revision, as is what ends streams or access.
 */
export function createUpkeep(server: TestServer, kept: Kept): () => Promise<void> {
  const { db } = server.database
  let count = 0
  const remove = (path: string) => server.call({ method: 'DELETE', path })
  /** Returns the rows of one column, those to be removed first at the end. */
  const texts = async (query: ReturnType<typeof sql<{ text: string }>>) =>
    (await query.execute(db)).rows.map(({ text }) => text)

  async function tendKeyed(noun: 'flag' | 'segment', environment_id: string): Promise<void> {
    const { least, most } = noun === 'flag' ? FLAGS : SEGMENTS
    const table = sql.table(`${noun}s`)
    // The largest are removed first: a few megabytes each would make every list slow.
    const keys = await texts(
      sql`select key as text from ${table} as t where environment_id = ${environment_id} order by length(t::text)`,
    )
    const path = `/api/environments/${environment_id}/${noun}s`
    for (const key of keys.slice(most)) await remove(`${path}/${key}`)
    for (let missing = least - keys.length; missing > 0; missing -= 1) {
      const key = `${noun}-${++count}`
      const body = noun === 'flag' ? { key, is_enabled: true, tags: ['kept'] } : { key, name: key }
      await server.call({ method: 'POST', path, body })
      keys.unshift(key)
    }
    kept.known[noun].set(environment_id, keys.slice(0, most))
  }

  /** Maintains pending change requests and scheduled changes. */
  async function tendPending(environment_id: string): Promise<void> {
    const path = `/api/environments/${environment_id}/flags/${kept.known.flag.get(environment_id)?.[0]}`
    const counted = await texts(
      sql`select count(*)::text as text from change_requests
        where environment_id = ${environment_id} and status = 'pending'
        union all select count(*)::text from scheduled_changes
        where environment_id = ${environment_id} and executed_at is null`,
    )
    const [requests = 0, schedules = 0] = counted.map(Number)
    const patch = { description: 'waits' }
    const setApproval = (on: boolean) =>
      sql`update environments set require_approval = ${on}::boolean where id = ${environment_id}`.execute(db)
    if (requests < PENDING_LEAST) await setApproval(true)
    for (let missing = PENDING_LEAST - requests; missing > 0; missing -= 1) {
      await server.call({ method: 'PATCH', path, body: patch })
    }
    if (requests < PENDING_LEAST) await setApproval(false)
    for (let missing = PENDING_LEAST - schedules; missing > 0; missing -= 1) {
      const body = { scheduled_at: '2099-01-01T00:00:00Z', patch }
      await server.call({ path: `${path}/scheduled-changes`, body })
    }
  }

  /** Maintains receivers. Each gets every change, so many would take all the time. */
  async function tendReceivers(table: 'webhooks' | 'integrations', environment_id: string): Promise<void> {
    const ids = await texts(
      sql`select id::text as text from ${sql.table(table)} where environment_id = ${environment_id}
        order by position desc`,
    )
    for (const id of ids.slice(RECEIVERS_MOST)) {
      await remove(`/api/environments/${environment_id}/${table}/${id}`)
    }
  }

  /** Removes what calls should have used up and did not. */
  async function tendSpare(): Promise<void> {
    for (const [table, column] of [
      ['group_mappings', 'group_name'],
      ['unknown_flags', 'flag_key'],
      ['sessions', 'user_agent'],
    ] as const) {
      await sql`delete from ${sql.table(table)} where ${sql.ref(column)} like ${`${SPARE}%`}`.execute(db)
    }
  }

  return async () => {
    await tendSpare()
    // Where changes need approval, nothing could be restored or removed at once.
    const own = sql.join(kept.environmentIds)
    await sql`update environments set require_approval = false where id in (${own}) and require_approval`.execute(
      db,
    )
    for (const environment_id of kept.environmentIds) {
      await tendKeyed('segment', environment_id)
      await tendKeyed('flag', environment_id)
      await tendPending(environment_id)
      await tendReceivers('webhooks', environment_id)
      await tendReceivers('integrations', environment_id)
    }
    const users = await texts(
      sql`select id::text as text from users where email not like ${`${FIXED_PREFIX}%`} order by id desc`,
    )
    // The set-up admin is the oldest of all.
    for (const id of users.slice(USERS_MOST, -1)) await remove(`/api/users/${id}`)
    const keptProjects = sql`(${sql.join(kept.keptProjects)})`
    const projects = await texts(
      sql`select id::text as text from projects where id not in ${keptProjects} order by created_at desc`,
    )
    for (const id of projects.slice(PROJECTS_MOST)) await remove(`/api/projects/${id}`)
    await tendProject(kept.keptProjects[0] ?? '')
    const tokens = await texts(
      sql`select access_tokens.id::text as text from access_tokens join users on users.id = user_id
        where email like ${`${FIXED_PREFIX}%`} and access_tokens.name not like ${`${FIXED_PREFIX}%`}
        order by access_tokens.id desc`,
    )
    for (const id of tokens.slice(TOKENS_MOST))
      await sql`delete from access_tokens where id = ${id}::int`.execute(db)
  }

  async function tendProject(project_id: string): Promise<void> {
    const path = `/api/projects/${project_id}`
    const seeded = sql`(${sql.join(kept.environmentIds)})`
    const environments = await texts(
      sql`select id::text as text from environments
        where project_id = ${project_id} and id not in ${seeded} and not is_default order by created_at desc`,
    )
    for (const id of environments.slice(ENVIRONMENTS_MOST)) await remove(`${path}/environments/${id}`)
    const keys = await texts(
      sql`select id::text as text from sdk_keys
        where project_id = ${project_id} and name not like ${`${FIXED_PREFIX}%`} order by id desc`,
    )
    for (const id of keys.slice(KEYS_MOST)) await remove(`${path}/keys/${id}`)
  }
}
