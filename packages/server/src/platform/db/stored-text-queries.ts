import { type Kysely, sql } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import type { Database } from './tables.ts'

interface StoredPlace {
  readonly table: keyof Database
  /** The column that the last parameter of the path names; absent where the scope is enough. */
  readonly column?: string
  /** The parameter, where it is not called as the column. */
  readonly param?: string
  /** The column that holds the scope of the path, and where its value comes from. */
  readonly scope?: readonly [column: string, of: 'env_id' | 'project_id' | 'actor']
}

/** The tables of things with names and addresses, by the path that changes them. */
export type StoredPlaces = Readonly<Record<string, StoredPlace>>

interface TextPlace {
  readonly path: string
  readonly params: Readonly<Record<string, unknown>>
  readonly actor: Actor | null
}

/** Creates the look-up of a text that a thing has. Addresses of chats are sealed: none is found. */
export const createStoredTexts =
  (db: Kysely<Database>, places: StoredPlaces) =>
  async ({ actor, params, path }: TextPlace, field: string, text: string): Promise<boolean> => {
    const place = places[path]
    if (!place || field === 'webhook_url') return false
    const { column, param = column, scope, table } = { ...EVERY, ...place }
    const id = String(params[param ?? ''])
    const isIt = column === undefined ? sql`true` : sql`${sql.ref(column)}::text = ${id}`
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
