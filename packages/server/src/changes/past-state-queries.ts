import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { WireFlag } from '../kernel/wire-flag.ts'
import type { Database } from '../platform/db/tables.ts'
import { wholeText } from './chunk-queries.ts'

/** The state of a flag at a revision, and its next change. The flag is parsed, or as it was stored. */
export interface PastState<Read = WireFlag> {
  readonly flag_key: string
  readonly kind: 'upsert' | 'delete'
  /** The revision that gave it this state. */
  readonly revision: number
  readonly created_at: string
  readonly audit_id: number | null
  /** False where the flag is as it was at the known revision, and therefore not read. */
  readonly is_read: boolean
  /** Null for a deleted or archived flag, and where it is not read. */
  readonly flag: Read | null
  /** The rules behind those of the flag, where it was read and has some. */
  readonly origins: WireFlag['origins'] | null
  /** True where a part of the flag is not stored any more. */
  readonly is_lost: boolean
  /** The first change after the revision; null without one. */
  readonly next_revision: number | null
  readonly next_at: string
  readonly next_audit_id: number | null
}

/** No revision is known: every flag is read. */
const NONE = -1

interface PastAt {
  readonly known?: number
  readonly revision: number
}

/**
 * Returns the state of each flag at a revision. Flags that never existed are absent, and the flags themselves
 * are read only where they differ from those at a revision that the caller knows.
 */
export async function readPastStates(
  db: Kysely<Database>,
  environment_id: string,
  at: PastAt,
): Promise<readonly PastState[]> {
  const states = await readStates<WireFlag>(db, environment_id, { ...at, type: sql`json` })
  // In place: copies of ten thousand rows would cost as much as reading them.
  for (const { flag, origins } of states) if (flag && origins) Object.assign(flag, { origins })
  return states
}

/**
 * Does the same without parsing the flags: ten thousand of them at once would cost the garbage collector more
 * than everything else.
 */
export const readPastTexts = (
  db: Kysely<Database>,
  environment_id: string,
  at: PastAt,
): Promise<readonly PastState<string>[]> => readStates<string>(db, environment_id, { ...at, type: sql`text` })

/**
 * Reads the states. The keys are found one after the other in the index, so that the number of changes of a
 * flag costs nothing.
 */
async function readStates<Read>(
  db: Kysely<Database>,
  environment_id: string,
  { known = NONE, revision, type }: PastAt & { readonly type: RawBuilder<unknown> },
): Promise<readonly PastState<Read>[]> {
  const ofFlag = sql`environment_id = ${environment_id}::uuid and change.flag_key = keys.flag_key and kind <> 'none'`
  const flag = wholeText({
    json: 'flag',
    chunks: 'flag_chunks',
    month: 'chunk_month',
    environment_id: 'environment_id',
  })
  const { rows } = await sql<Omit<PastState<Read>, 'is_lost'> & { is_lost: boolean }>`
    with recursive keys as (
      (select flag_key from environment_changes where environment_id = ${environment_id}::uuid
        order by flag_key limit 1)
      union all
      select following.flag_key from keys cross join lateral (
        select flag_key from environment_changes change
        where environment_id = ${environment_id}::uuid and change.flag_key > keys.flag_key
        order by change.flag_key limit 1) following
    )
    select keys.flag_key, last.revision, last.kind, last.created_at, last.audit_id, next_revision, next_at,
      next_audit_id, is_read, case when is_read then ${flag}::${type} end as flag,
      case when is_read then origins end as origins
    from keys cross join lateral (
      select * from environment_changes change where ${ofFlag} and revision <= ${revision}::bigint
      order by revision desc limit 1
    ) last left join lateral (
      select revision as next_revision, created_at as next_at, audit_id as next_audit_id
      from environment_changes change where ${ofFlag} and revision > ${revision}::bigint
      order by revision limit 1
    ) following on true cross join lateral (
      select coalesce(next_revision <= ${known}::bigint, false) or last.revision > ${known}::bigint as is_read
    ) compared
  `.execute(db)
  for (const row of rows) row.is_lost = row.is_read && row.kind === 'upsert' && row.flag === null
  return rows
}
