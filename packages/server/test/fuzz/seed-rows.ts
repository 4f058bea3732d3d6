import { randomUUID } from 'node:crypto'
import { insertSession } from '../../src/identity/auth/session-queries.ts'
import type { KeyKind } from '../../src/kernel/actor.ts'
import { hashSecret } from '../../src/platform/crypto/hash-secret.ts'
import { newSecret, previewSecret } from '../../src/platform/crypto/new-secret.ts'
import { createSessionSeal } from '../../src/platform/crypto/sealed-session.ts'
import type { Role } from '../../src/platform/db/tables.ts'
import { insertProject } from '../../src/structure/projects/index.ts'
import { insertSdkKey } from '../../src/structure/sdk-keys/insert-sdk-key.ts'
import { insertPasskey } from '../harness/insert-passkey.ts'
import { ADMIN, type TestServer } from '../harness/start-test-server.ts'
import type { Caller, CallerKind } from './callers.ts'

/** The password of all users of `addPerson`. */
export const { password: PASSWORD } = ADMIN
const ORIGIN = { parent_id: null, createdBy: null, isSeeded: false }
/** The prefix of names that the upkeep does not change. */
export const FIXED_PREFIX = 'fixed-'
/** The prefix of what calls use up. */
export const SPARE = 'spare-'

export interface SeededUser {
  readonly id: number
  /** The role in the workspace. */
  readonly role: Role
}

export interface Seeds {
  /** Inserts a user with `PASSWORD`; returns the id and the e-mail. */
  addPerson(role: Role, emailPrefix?: string): Promise<SeededUser & { readonly email: string }>
  /** Inserts a service account without memberships; returns its id. */
  addServiceAccount(): Promise<number>
  addMember(project_id: string, user_id: number, role: Role): Promise<void>
  /** Inserts a custom role without permissions; returns its key. */
  addRole(): Promise<string>
  /** Inserts a passkey that no authenticator has; returns its id. */
  addPasskey(user_id: number): Promise<number>
  sessionOf(kind: CallerKind, user: SeededUser): Promise<Caller>
  /** Inserts a session that no caller has; returns its id. */
  addSession(user_id: number): Promise<string>
  /** Inserts a row of the group table; returns its id. */
  addGroupMapping(): Promise<number>
  /** Inserts a flag that programs have requested; returns its key. */
  addUnknownFlag(environment_id: string): Promise<string>
  tokenOf(
    kind: 'read_only_token' | 'read_write_token',
    user: SeededUser,
    namePrefix?: string,
  ): Promise<Caller & { token_id: number }>
  addKey(at: {
    project_id: string
    environment_id: string
    kind: KeyKind
    name: string
  }): Promise<{ id: number; key: string }>
  addEnvironment(project_id: string): Promise<string>
  addProject(): Promise<{ id: string; environments: readonly string[] }>
}

/**
 * Inserts rows directly: a run uses up thousands (accounts to delete, keys to revoke), and a login or a
 * password hash for each would take most of the run.
 */
export async function createSeeds(server: TestServer, sessionSecret: string): Promise<Seeds> {
  const { db } = server.database
  const seal = createSessionSeal([sessionSecret])
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('email', '=', ADMIN.email)
    .executeTakeFirstOrThrow()
  const now = () => new Date().toISOString()
  let count = 0
  const nextName = (prefix: string) => `${prefix}${++count}`

  async function insertSessionOf(user_id: number, user_agent: string | null) {
    const expires_at = new Date(Date.now() + 86_400_000)
    const id = randomUUID()
    await insertSession(db, {
      ...{ id, user_id, method: 'password', address: null, user_agent },
      ...{ created_at: now(), authenticated_at: now(), last_seen_at: now() },
      expires_at: expires_at.toISOString(),
    })
    return { id, expires_at }
  }

  return {
    async addPerson(role, emailPrefix = 'spare-') {
      const email = `${nextName(emailPrefix)}@example.com`
      const { id } = await db
        .insertInto('users')
        .values({ name: email, email, role, password_hash })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, email, role }
    },
    async addServiceAccount() {
      const name = nextName('robot-')
      const account = { name, email: `service-account:${name}`, kind: 'service_account' } as const
      const { id } = await db
        .insertInto('users')
        .values({ ...account, role: 'viewer', password_hash: null })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async addMember(project_id, user_id, role) {
      await db.insertInto('project_members').values({ project_id, user_id, role }).execute()
    },
    async addRole() {
      const key = nextName('role-')
      await db.insertInto('roles').values({ key, name: key, permissions: [] }).execute()
      return key
    },
    addPasskey: (user_id) => insertPasskey(server, user_id),
    async sessionOf(kind, { id: user_id, role }) {
      const isWorkspaceAdmin = role === 'admin'
      const { expires_at, id } = await insertSessionOf(user_id, null)
      const headers = {
        cookie: `lg_session=${await seal.seal(id, expires_at)}`,
        'x-flagservice-request': 'true',
      }
      return { kind, headers, user_id, sdk_key: null, environment_id: null, isWorkspaceAdmin }
    },
    addSession: async (user_id) => (await insertSessionOf(user_id, SPARE)).id,
    async addGroupMapping() {
      const { id } = await db
        .insertInto('group_mappings')
        .values({ group_name: nextName(SPARE), project_id: null, role: 'viewer', created_at: now() })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async addUnknownFlag(environment_id) {
      const flag_key = nextName(SPARE)
      await db
        .insertInto('unknown_flags')
        .values({ environment_id, flag_key, count: 1, first_seen: now(), last_seen: now() })
        .execute()
      return flag_key
    },
    async tokenOf(kind, { id: user_id, role }, namePrefix = 'spare-') {
      const isWorkspaceAdmin = role === 'admin'
      const token = newSecret('pat_')
      const scope: 'read_only' | 'read_write' = kind === 'read_only_token' ? 'read_only' : 'read_write'
      const row = {
        user_id,
        name: nextName(namePrefix),
        token_hash: hashSecret(token),
        prefix: previewSecret(token),
        scope,
      }
      const { id } = await db
        .insertInto('access_tokens')
        .values(row)
        .returning('id')
        .executeTakeFirstOrThrow()
      const headers = { authorization: `Bearer ${token}` }
      return { kind, headers, user_id, sdk_key: null, environment_id: null, token_id: id, isWorkspaceAdmin }
    },
    async addKey({ environment_id, kind, name, project_id }) {
      const environment = { id: environment_id, name: '' }
      return db.transaction().execute((tx) =>
        insertSdkKey(tx, {
          project_id,
          environment,
          name: nextName(name),
          kind,
          origin: ORIGIN,
          now: now(),
        }),
      )
    },
    async addEnvironment(project_id) {
      const id = randomUUID()
      const slug = nextName('spare-')
      await db
        .insertInto('environments')
        .values({ id, project_id, name: slug, slug, color: '#000000' })
        .execute()
      return id
    },
    async addProject() {
      const { environments, id } = await db
        .transaction()
        .execute((tx) =>
          insertProject(tx, { name: nextName('Spare '), now: now(), newId: randomUUID, createdBy: null }),
        )
      return { id, environments: environments.map((environment) => environment.id) }
    },
  }
}
