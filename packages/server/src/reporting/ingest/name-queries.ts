import { sql, type Transaction } from 'kysely'
import { int4Array, textArray } from '../../platform/db/binary-array.ts'
import type { Database } from '../../platform/db/tables.ts'

/**
 * A pool from which new names of client keys are taken. `flag_key` is empty except for the values of a flag.
 */
interface NamePool {
  readonly kind: 'flag' | 'value' | 'event'
  readonly flag_key: string
}

interface PoolOfDay {
  readonly environment_id: string
  /** The day, such as `2026-01-31`. */
  readonly day: string
  readonly kind: NamePool['kind']
}

/** Returns the number of new names that each pool gave on the day, by flag key. Unused pools are left out. */
export async function findTakenNames(
  tx: Transaction<Database>,
  { day, environment_id, kind }: PoolOfDay,
  flagKeys: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ flag_key: string; taken: number }>`
    select flag_key, taken from client_report_names
    where environment_id = ${environment_id}::uuid and kind = ${kind} and day = ${day}::date
      and flag_key = any(${textArray(flagKeys)}::text[])
  `.execute(tx)
  return new Map(rows.map(({ flag_key, taken }) => [flag_key, taken]))
}

/** Adds the names that each pool gave, by flag key. A new day starts at 0. */
export async function addTakenNames(
  tx: Transaction<Database>,
  { day, environment_id, kind }: PoolOfDay,
  taken: ReadonlyMap<string, number>,
): Promise<void> {
  if (taken.size === 0) return
  await sql`
    insert into client_report_names as known (environment_id, kind, flag_key, day, taken)
    select ${environment_id}::uuid, ${kind}, flag_key, ${day}::date, taken from unnest(
      ${textArray([...taken.keys()])}::text[], ${int4Array([...taken.values()])}::int[]
    ) as added (flag_key, taken)
    on conflict (environment_id, kind, flag_key) do update set
      taken = excluded.taken + case when known.day = excluded.day then known.taken else 0 end,
      day = excluded.day
  `.execute(tx)
}
