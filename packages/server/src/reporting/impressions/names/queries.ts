import { sql, type Transaction } from 'kysely'
import { byteaArray, textArray } from '../../../platform/db/binary-array.ts'
import type { Database } from '../../../platform/db/tables.ts'

/** A flag key and a value that a client key reported. */
export interface ReportedName {
  readonly flag_key: string
  readonly value: string
  readonly value_hash: Buffer
}

/** The facts about a reported name in the environment. */
export interface NameFacts {
  /** True for a flag of the environment, archived or not. */
  readonly is_flag: boolean
  readonly is_key_known: boolean
  readonly is_value_known: boolean
}

/** Returns the facts in the order of the names. */
export async function findNameFacts(
  tx: Transaction<Database>,
  environment_id: string,
  names: readonly ReportedName[],
): Promise<NameFacts[]> {
  const { rows } = await sql<NameFacts>`
    select
      exists (select from flags f where f.environment_id = ${environment_id}::uuid and f.key = name.flag_key)
        as is_flag,
      exists (
        select from impression_flags f
        where f.environment_id = ${environment_id}::uuid and f.flag_key = name.flag_key) as is_key_known,
      exists (
        select from impression_values v
        where v.environment_id = ${environment_id}::uuid and v.flag_key = name.flag_key
          and v.value_hash = name.value_hash) as is_value_known
    from unnest(
      ${textArray(names.map(({ flag_key }) => flag_key))}::text[],
      ${byteaArray(names.map(({ value_hash }) => value_hash))}::bytea[]
    ) with ordinality as name (flag_key, value_hash, n)
    order by n
  `.execute(tx)
  return rows
}

/** The stored size above which definitions are not searched. */
const DEFINITION_MAX_BYTES = 16 * 1024

/**
 * Returns which of the values the names' flags can have by their definitions: their defaults, variants and
 * the variants of their rules. Those of segments are not searched.
 */
export async function findPossibleValues(
  tx: Transaction<Database>,
  environment_id: string,
  names: readonly ReportedName[],
): Promise<{ readonly flag_key: string; readonly value: string }[]> {
  const { rows } = await sql<{ flag_key: string; value: string }>`
    with name as (
      select * from unnest(
        ${textArray(names.map(({ flag_key }) => flag_key))}::text[],
        ${textArray(names.map(({ value }) => value))}::text[]
      ) as name (flag_key, value)
    ), possible as (
      select f.key as flag_key, given.value
      from flags f,
      lateral (
        select f.default_value #>> '{}' as value
        union select f.disabled_value #>> '{}'
        union select variant ->> 'value' from json_array_elements(f.variants) as variant
        union select rule ->> 'variant' from json_array_elements(f.rules) as rule
      ) as given
      where f.environment_id = ${environment_id}::uuid and f.key in (select flag_key from name)
        and pg_column_size(f.variants) + pg_column_size(f.rules) + pg_column_size(f.default_value)
          + pg_column_size(f.disabled_value) <= ${DEFINITION_MAX_BYTES}::int
    )
    select name.flag_key, name.value from name join possible using (flag_key, value)
  `.execute(tx)
  return rows
}
