import type { FlagExtensions } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { sql } from 'kysely'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { utcText } from '../../platform/db/json-row.ts'
import { FLAG_COLUMNS } from '../flags/index.ts'

/** A flag of one or both of two environments. */
export interface FlagPair {
  readonly key: string
  readonly in_source: boolean
  readonly in_target: boolean
  /** The fields that differ, as JSON, all others null; absent for both sides when nothing differs. */
  readonly source?: FlagFields
  readonly target?: FlagFields
}

type Compared = Exclude<(typeof FLAG_COLUMNS)[number], 'key' | 'revision'>

/** The fields of one side; `extensions` has those that are absent unless they are set. */
export type FlagFields = Readonly<Record<Compared, JsonValue>> & {
  readonly extensions: FlagExtensions | null
}

const COMPARED = [...FLAG_COLUMNS, 'extensions'].filter((column) => column !== 'key' && column !== 'revision')
/** The bytes of a pair without differences. */
const PAIR_BYTES = 200

/**
 * Lists the flags of either environment as `FlagPair`, by key, in code unit order, after the one with the key
 * `after`. Equal fields are not read from the database.
 */
export function flagPairList(sourceId: string, targetId: string, after: string | null): ListQuery {
  const side = (id: string) => sql`
    (select * from flags where environment_id = ${id}::uuid and (${after}::text is null or key collate "C" > ${after}::text))`
  return {
    rows: sql`
      select key, source.key is not null as in_source, target.key is not null as in_target, differs,
        case when differs then source.bytes + target.bytes else ${PAIR_BYTES}::int end as bytes
      from ${side(sourceId)} source full join ${side(targetId)} target using (key)
      cross join lateral (
        select source.key = target.key and row(${textsOf('source')}) is distinct from row(${textsOf('target')}) as differs
      ) compared`,
    orderBy: sql`key collate "C"`,
    item: sql`coalesce((
      select json_build_object('key', page.key, 'in_source', true, 'in_target', true,
        'source', json_build_object(${differingFields('source', 'target')}),
        'target', json_build_object(${differingFields('target', 'source')}))::text
      from flags source join flags target using (key)
      where page.differs and source.environment_id = ${sourceId}::uuid and target.environment_id = ${targetId}::uuid and key = page.key
    ), json_build_object('key', page.key, 'in_source', page.in_source, 'in_target', page.in_target)::text)`,
    place: sql`json_build_array(key)`,
  }
}

const field = (side: string, column: string) => sql.ref(`${side}.${column}`)

const textsOf = (side: string) => sql.join(COMPARED.map((column) => sql`${field(side, column)}::text`))

/** Returns names and values for an object, with null for fields that are equal on the other side. */
const differingFields = (side: string, other: string) =>
  sql.join(
    COMPARED.map((column) => {
      const value = column === 'archived_at' ? utcText(field(side, column)) : field(side, column)
      const isAlike = sql`${field(side, column)}::text is not distinct from ${field(other, column)}::text`
      return sql`${sql.lit(column)}, case when ${isAlike} then null else ${value} end`
    }),
  )
