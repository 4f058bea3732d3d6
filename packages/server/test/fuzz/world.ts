import { sql } from 'kysely'
import type { TestServer } from '../harness/start-test-server.ts'
import { ANONYMOUS, type Caller, type CallerKind, GARBAGE } from './callers.ts'
import type { Random } from './random.ts'
import { createSeeds, FIXED_PREFIX, type Seeds } from './seed-rows.ts'
import { createUpkeep } from './upkeep.ts'

/**
 * The things that requests name. The project, its environments and the callers are permanent; all others are
 * created and deleted.
 */
export interface World {
  readonly project_id: string
  /** The environments of that project: production, staging, development. Keys belong to the first. */
  readonly environmentIds: readonly string[]
  /** Another project, which only workspace admins may see. */
  readonly foreign: Foreign
  readonly seeds: Seeds
  /** Recent keys of flags and of segments, by environment. */
  readonly known: Readonly<Record<'flag' | 'segment', Map<string, readonly string[]>>>
  pickCaller(kind: CallerKind, random: Random): Caller
  /**
   * Returns a caller whose session or password may be used up: a new user of the same rights, or a new
   * session of the same user.
   */
  spareCaller(kind: CallerKind, random: Random): Promise<Caller>
  /** Returns a past revision of the flag. */
  someRevision(environment_id: string, key: string): Promise<number | undefined>
  /** Returns a change request or scheduled change, a pending one if there is any. */
  someId(table: 'change_requests' | 'scheduled_changes', environment_id: string): Promise<string | undefined>
  someExperimentKey(environment_id: string): Promise<string | undefined>
  someReceiver(table: 'webhooks' | 'integrations', environment_id: string): Promise<string | undefined>
  /** Returns the ids in the path of a delivery. */
  someWebhookDelivery(environment_id: string): Promise<{ id: string; delivery_id: string } | undefined>
  /** Restores what was deleted and removes the excess. */
  tend(): Promise<void>
}

interface Foreign {
  readonly project_id: string
  readonly environment_id: string
  /** The key of a flag there. */
  readonly key: string
}

export async function createWorld(server: TestServer, sessionSecret: string): Promise<World> {
  const seeds = await createSeeds(server, sessionSecret)
  const { environments, project } = server
  const environmentIds = [environments.production, environments.staging, environments.development]
  const foreignProject = await seeds.addProject()
  const [foreignEnvironment = ''] = foreignProject.environments
  const foreign = { project_id: foreignProject.id, environment_id: foreignEnvironment, key: 'foreign-flag' }
  await markForeign(server, foreign)
  const callers = await createCallers(seeds, project.id, environments.production)
  const known = { flag: new Map<string, readonly string[]>(), segment: new Map<string, readonly string[]>() }
  const tend = createUpkeep(server, {
    environmentIds,
    keptProjects: [project.id, foreign.project_id],
    known,
  })
  await tend()

  return {
    project_id: project.id,
    environmentIds,
    foreign,
    seeds,
    known,
    tend,
    pickCaller: (kind, random) => random.pick(callers[kind]),
    async someRevision(environment_id, key) {
      const row = await server.database.db
        .selectFrom('environment_changes')
        .select('revision')
        .where('environment_id', '=', environment_id)
        .where('flag_key', '=', key)
        .orderBy('revision', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.revision
    },
    async someId(table, environment_id) {
      const isPending = table === 'change_requests' ? sql`status = 'pending'` : sql`executed_at is null`
      const { rows } = await sql<{ id: string }>`
        select id::text as id from ${sql.table(table)} where environment_id = ${environment_id}
        order by ${isPending} desc, random() limit 1`.execute(server.database.db)
      return rows[0]?.id
    },
    async someExperimentKey(environment_id) {
      const { rows } = await sql<{ key: string }>`
        select key from experiments where environment_id = ${environment_id} order by random() limit 1`.execute(
        server.database.db,
      )
      return rows[0]?.key
    },
    async someReceiver(table, environment_id) {
      const { rows } = await sql<{ id: string }>`
        select id::text as id from ${sql.table(table)} where environment_id = ${environment_id}
        order by random() limit 1`.execute(server.database.db)
      return rows[0]?.id
    },
    async someWebhookDelivery(environment_id) {
      const { rows } = await sql<{ id: string; delivery_id: string }>`
        select webhook_id::text as id, d.id::text as delivery_id
        from webhook_deliveries d join webhooks w on w.id = webhook_id
        where environment_id = ${environment_id} order by random() limit 1`.execute(server.database.db)
      return rows[0]
    },
    async spareCaller(kind, random) {
      const like = random.pick(callers[kind])
      if (like.user_id === null) return like
      const person = await seeds.addPerson(like.isWorkspaceAdmin ? 'admin' : 'viewer')
      if (kind === 'read_only_token' || kind === 'read_write_token') return seeds.tokenOf(kind, person)
      return seeds.sessionOf(kind, person)
    },
  }
}

/** Part of every name in the foreign project: only workspace admins may see it. */
export const FOREIGN_CANARY = 'not for the eyes of strangers'

async function markForeign(server: TestServer, { environment_id, key, project_id }: Foreign): Promise<void> {
  const { db } = server.database
  const name = FOREIGN_CANARY
  await server.call({
    method: 'POST',
    path: `/api/environments/${environment_id}/flags`,
    body: { key, is_enabled: true, description: name },
  })
  await db.updateTable('projects').set({ name }).where('id', '=', project_id).execute()
  await db.updateTable('environments').set({ name }).where('project_id', '=', project_id).execute()
  await db.updateTable('sdk_keys').set({ name }).where('project_id', '=', project_id).execute()
}

async function createCallers(
  seeds: Seeds,
  project_id: string,
  environment_id: string,
): Promise<Record<CallerKind, readonly Caller[]>> {
  const workspace_admin = await seeds.addPerson('admin', FIXED_PREFIX)
  const member = async (role: 'admin' | 'editor' | 'viewer') => {
    const person = await seeds.addPerson('viewer', FIXED_PREFIX)
    await seeds.addMember(project_id, person.id, role)
    return person
  }
  const [projectAdmin, editor, viewer] = [
    await member('admin'),
    await member('editor'),
    await member('viewer'),
  ]
  const key = async (kind: 'server' | 'client'): Promise<Caller> => {
    const { key } = await seeds.addKey({ project_id, environment_id, kind, name: FIXED_PREFIX })
    const headers = { authorization: `Bearer ${key}` }
    return {
      kind: `${kind}_key`,
      headers,
      user_id: null,
      sdk_key: key,
      environment_id,
      isWorkspaceAdmin: false,
    }
  }
  return {
    anonymous: [ANONYMOUS],
    session_admin: [
      await seeds.sessionOf('session_admin', workspace_admin),
      await seeds.sessionOf('session_admin', workspace_admin),
      await seeds.sessionOf('session_admin', projectAdmin),
    ],
    session_editor: [await seeds.sessionOf('session_editor', editor)],
    session_viewer: [await seeds.sessionOf('session_viewer', viewer)],
    server_key: [await key('server')],
    client_key: [await key('client')],
    read_only_token: [
      await seeds.tokenOf('read_only_token', workspace_admin, FIXED_PREFIX),
      await seeds.tokenOf('read_only_token', editor, FIXED_PREFIX),
    ],
    read_write_token: [
      await seeds.tokenOf('read_write_token', workspace_admin, FIXED_PREFIX),
      await seeds.tokenOf('read_write_token', workspace_admin, FIXED_PREFIX),
      await seeds.tokenOf('read_write_token', projectAdmin, FIXED_PREFIX),
      await seeds.tokenOf('read_write_token', editor, FIXED_PREFIX),
    ],
    garbage: GARBAGE,
  }
}
