import { sql } from 'kysely'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { jsonRow, withFields } from '../../platform/db/json-row.ts'
import { TIME_COLUMNS } from './flag-row-queries.ts'
import { FLAG_COLUMNS } from './queries.ts'

/** The filters of a list. An absent one does not filter. */
export interface FlagFilters {
  readonly archived?: boolean
  /** One of the flag's tags, exactly. */
  readonly tag?: string
  /** The whole owner, ignoring case. */
  readonly owner_email?: string
  /** A part of the key or description, ignoring case. */
  readonly q?: string
}

const LISTED = [...FLAG_COLUMNS, ...TIME_COLUMNS] as const

/** Lists flags by key, in code unit order, as stored, after the one with the key `after`. */
export function flagList(
  environment_id: string,
  { archived, owner_email, q, tag }: FlagFilters,
  after: string | null,
): ListQuery {
  const conditions = [sql`environment_id = ${environment_id}::uuid`]
  if (after !== null) conditions.push(sql`key collate "C" > ${after}`)
  if (archived !== undefined)
    conditions.push(archived ? sql`archived_at is not null` : sql`archived_at is null`)
  if (tag !== undefined) conditions.push(sql`tags::jsonb ? ${tag}`)
  if (owner_email !== undefined) conditions.push(sql`lower(owner_email) = lower(${owner_email})`)
  if (q !== undefined)
    conditions.push(sql`(strpos(lower(key), lower(${q})) > 0 or strpos(lower(description), lower(${q})) > 0)`)
  const columns = sql.join(LISTED.map((column) => sql.ref(column)))
  return {
    rows: sql`select ${columns}, extensions, bytes from flags where ${sql.join(conditions, sql` and `)}`,
    orderBy: sql`key collate "C"`,
    item: withFields(jsonRow(LISTED, ['archived_at', 'created_at', 'updated_at']), sql`extensions`),
    place: sql`json_build_array(key)`,
  }
}
