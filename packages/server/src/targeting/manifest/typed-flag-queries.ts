import { DESCRIPTION_SHOWN_MAX_LENGTH } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { jsonRow, withFields } from '../../platform/db/json-row.ts'
import type { Database } from '../../platform/db/tables.ts'

const COLUMNS = [
  'key',
  'flag_type',
  'owner_email',
  'default_value',
  'disabled_value',
  'variants',
  'rules',
  'archived_at',
] as const

/** The bytes of a description that is cut: four for a character of UTF-8. */
const DESCRIPTION_MAX_BYTES = 4 * DESCRIPTION_SHOWN_MAX_LENGTH

/** The bytes that are read of a flag. The length of a stored text is known without reading it. */
const READ_BYTES = sql<number>`(bytes - greatest(0, coalesce(octet_length(description), 0) - ${sql.lit(DESCRIPTION_MAX_BYTES)}::int))`

/** Measures what is read of the flags of an environment to make types of them, in bytes. */
export async function measureTypedFlags(db: Kysely<Database>, environment_id: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('flags')
    .select(sql<number>`coalesce(sum(${READ_BYTES}), 0)::float8`.as('bytes'))
    .where('environment_id', '=', environment_id)
    .executeTakeFirstOrThrow()
  return bytes
}

/**
 * Lists what types are made from as `TypedFlag`, by key, in code unit order, after the flag with the key
 * `after`. Descriptions are cut.
 */
export function typedFlagList(environment_id: string, after: string | null): ListQuery {
  const columns = sql.join([...COLUMNS, 'description', 'extensions'].map((column) => sql.ref(column)))
  const description = sql`left(description, ${sql.lit(DESCRIPTION_SHOWN_MAX_LENGTH)})`
  return {
    rows: sql`
      select ${columns}, ${READ_BYTES} as bytes from flags
      where environment_id = ${environment_id}::uuid and (${after}::text is null or key collate "C" > ${after}::text)`,
    orderBy: sql`key collate "C"`,
    item: withFields(jsonRow(COLUMNS, ['archived_at'], { description }), sql`extensions`),
    place: sql`json_build_array(key)`,
  }
}
