import type { FlagExtensions, TypedFlag } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

const COLUMNS = [
  'key',
  'flag_type',
  'description',
  'owner_email',
  'default_value',
  'disabled_value',
  'variants',
  'rules',
  'archived_at',
  'extensions',
] as const

/** Measures the stored flags of an environment in bytes. */
export async function measureTypedFlags(db: Kysely<Database>, environment_id: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('flags')
    .select(sql<number>`coalesce(sum(bytes), 0)::float8`.as('bytes'))
    .where('environment_id', '=', environment_id)
    .executeTakeFirstOrThrow()
  return bytes
}

/** Reads what types are made from, of all flags of an environment, in the order of their keys. */
export async function listTypedFlags(db: Kysely<Database>, environment_id: string): Promise<TypedFlag[]> {
  const rows = await db
    .selectFrom('flags')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .orderBy(sql`key collate "C"`)
    .execute()
  return rows.map(({ extensions, ...columns }) => {
    const { expires_at, links, value_schema, variant_names }: FlagExtensions = extensions
    return {
      ...columns,
      ...(expires_at !== undefined && { expires_at }),
      ...(links !== undefined && { links }),
      ...(value_schema !== undefined && { value_schema }),
      ...(variant_names !== undefined && { variant_names }),
    }
  })
}
