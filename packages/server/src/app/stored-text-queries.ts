import { type Kysely, sql } from 'kysely'
import type { HasStoredText } from '../http/requests/plain-texts.ts'
import type { Database } from '../platform/db/tables.ts'

interface StoredPlace {
  readonly table: keyof Database
  /** The column that the last parameter of the path names; absent for the only row. */
  readonly column?: string
  /** The parameter, where it is not called as the column. */
  readonly param?: string
  readonly isInEnvironment?: boolean
}

/** The tables of things with names and addresses, by the path that changes them. */
const PLACES: Readonly<Record<string, StoredPlace>> = {
  '/api/auth/factors/passkeys/:id': { table: 'passkeys', column: 'id' },
  '/api/environments/:env_id/experiments/:key': {
    table: 'experiments',
    column: 'key',
    isInEnvironment: true,
  },
  '/api/environments/:env_id/integrations/:id': { table: 'integrations', column: 'id' },
  '/api/environments/:env_id/webhooks/:id': { table: 'webhooks', column: 'id' },
  '/api/projects/:project_id': { table: 'projects', column: 'id', param: 'project_id' },
  '/api/projects/:project_id/environments/:env_id': { table: 'environments', column: 'id', param: 'env_id' },
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
    const { column, isInEnvironment = false, param = column, table } = { ...EVERY, ...place }
    const id = isOwn ? actor.user_id : params[param ?? '']
    const isIt = column === undefined ? sql`true` : sql`${sql.ref(column)}::text = ${String(id)}`
    const isHere = isInEnvironment ? sql`environment_id::text = ${String(params.env_id)}` : sql`true`
    const { rows } = await sql`
      select 1 from ${sql.table(table)} where ${isIt} and ${isHere} and ${sql.ref(field)} = ${text}
    `.execute(db)
    return rows.length > 0
  }
const EVERY: Pick<StoredPlace, 'isInEnvironment' | 'param'> = {}
