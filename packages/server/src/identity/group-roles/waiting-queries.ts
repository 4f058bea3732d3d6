import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { ADVISORY_LOCKS } from '../../platform/db/advisory-locks.ts'
import type { Database } from '../../platform/db/tables.ts'
import { bumpRevision } from '../../platform/db/workspace-row.ts'

/** Notes that the table must be applied to those whose last login was in a group or whom SCIM put into it. */
export async function putPeopleOfGroup(
  tx: Transaction<Database>,
  { group, requested_by }: { readonly group: string; readonly requested_by: string },
): Promise<void> {
  await put(
    tx,
    requested_by,
    sql`
    select user_id from identities where groups @> ${[group]}::text[]
    union
    select m.user_id from scim_groups g join scim_members m on m.group_id = g.id
    where g.display_name = ${group} or g.external_id = ${group}
  `,
  )
}

/** Notes that the table must be applied to people whose groups have changed. */
export async function putPeople(
  tx: Transaction<Database>,
  { ids, requested_by }: { readonly ids: readonly number[]; readonly requested_by: string },
): Promise<void> {
  await put(tx, requested_by, sql`select distinct unnest(${[...ids]}::integer[]) as user_id`)
}

/** Puts people, and wakes the worker of every instance by the revision. */
async function put(
  tx: Transaction<Database>,
  requested_by: string,
  people: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql`
    insert into waiting_group_changes (user_id, requested_by)
    select user_id, ${requested_by}::text from (${people}) people
    order by user_id
    on conflict (user_id) do update set requested_by = excluded.requested_by, change_id = default
    returning user_id
  `.execute(tx)
  if (rows.length > 0) await bumpRevision(tx, 'groups_revision')
}

/** A person to whom the table of groups is to be applied. */
export interface WaitingPerson {
  readonly user_id: number
  readonly requested_by: string
  /** The number of the last change. A later change has another one. */
  readonly change_id: number
}

const COLUMNS = ['user_id', 'requested_by', 'change_id'] as const

/** Returns people who wait, in the order of their ids. */
export async function findWaitingPeople(
  db: Kysely<Database>,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly WaitingPerson[]> {
  return db
    .selectFrom('waiting_group_changes')
    .select(COLUMNS)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
}

/**
 * Claims a person until the transaction ends, so that the work is done once. Returns false when another
 * instance is giving this person their roles; with `waits`, it waits for that instance.
 */
export async function claimPerson(
  tx: Transaction<Database>,
  user_id: number,
  { waits }: { readonly waits: boolean },
): Promise<boolean> {
  const claim = sql.raw(waits ? 'pg_advisory_xact_lock' : 'pg_try_advisory_xact_lock')
  const { rows } = await sql<{ claimed: boolean | '' }>`
    select ${claim}(${ADVISORY_LOCKS.groupRolesOfPerson}, ${user_id}::integer) as claimed
  `.execute(tx)
  return waits || rows[0]?.claimed === true
}

/** Returns the last change of a person; undefined when another instance has applied it. */
export async function findWaitingPerson(
  tx: Transaction<Database>,
  user_id: number,
): Promise<WaitingPerson | undefined> {
  return tx
    .selectFrom('waiting_group_changes')
    .select(COLUMNS)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
}

/** Removes a person from those who wait, unless there was a later change. */
export async function removeWaitingPerson(
  tx: Transaction<Database>,
  { change_id, user_id }: Pick<WaitingPerson, 'user_id' | 'change_id'>,
): Promise<void> {
  await tx
    .deleteFrom('waiting_group_changes')
    .where('user_id', '=', user_id)
    .where('change_id', '=', change_id)
    .execute()
}
