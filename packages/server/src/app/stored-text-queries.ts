import { type Kysely, sql } from 'kysely'
import type { HasStoredText } from '../http/requests/plain-texts.ts'
import type { Database } from '../platform/db/tables.ts'

interface StoredPlace {
  readonly table: keyof Database
  /** The column that the last parameter of the path names; absent for the only row. */
  readonly column?: string
  /** The parameter, where it is not called as the column. */
  readonly param?: string
  /** The column that holds the scope of the path, and where its value comes from. */
  readonly scope?: readonly [column: string, of: 'env_id' | 'project_id' | 'actor']
}

/** The tables of things with names and addresses, by the path that changes them. */
const PLACES: Readonly<Record<string, StoredPlace>> = {
  '/api/auth/factors/passkeys/:id': { table: 'passkeys', column: 'id', scope: ['user_id', 'actor'] },
  '/api/environments/:env_id/experiments/:key': {
    table: 'experiments',
    column: 'key',
    scope: ['environment_id', 'env_id'],
  },
  '/api/environments/:env_id/integrations/:id': {
    table: 'integrations',
    column: 'id',
    scope: ['environment_id', 'env_id'],
  },
  '/api/environments/:env_id/webhooks/:id': {
    table: 'webhooks',
    column: 'id',
    scope: ['environment_id', 'env_id'],
  },
  '/api/projects/:project_id': { table: 'projects', column: 'id', param: 'project_id' },
  '/api/projects/:project_id/environments/:env_id': {
    table: 'environments',
    column: 'id',
    param: 'env_id',
    scope: ['project_id', 'project_id'],
  },
  '/api/roles/:key': { table: 'roles', column: 'key' },
  '/api/service-accounts/:id': { table: 'users', column: 'id' },
  '/api/users/:id': { table: 'users', column: 'id' },
  '/api/workspace': { table: 'workspace' },
}

/** Creates the look-up of a text that a thing has. Addresses of chats are sealed: none is found. */
export const createStoredTexts =
  (db: Kysely<Database>): HasStoredText =>
  async ({ actor, params, path }, field, text) => {
    const isOwn = path === '/api/auth/me' && actor?.kind === 'user'
    const place = isOwn ? { table: 'users', column: 'id' } : PLACES[path]
    if (!place || field === 'webhook_url') return false
    const { column, param = column, scope, table } = { ...EVERY, ...place }
    const id = isOwn ? actor.user_id : params[param ?? '']
    const isIt = column === undefined ? sql`true` : sql`${sql.ref(column)}::text = ${String(id)}`
    const own = actor?.kind === 'user' ? actor.user_id : null
    const isHere = scope
      ? sql`${sql.ref(scope[0])}::text = ${String(scope[1] === 'actor' ? own : params[scope[1]])}`
      : sql`true`
    const { rows } = await sql`
      select 1 from ${sql.table(table)} where ${isIt} and ${isHere} and ${sql.ref(field)} = ${text}
    `.execute(db)
    return rows.length > 0
  }
const EVERY: Pick<StoredPlace, 'param' | 'scope'> = {}
