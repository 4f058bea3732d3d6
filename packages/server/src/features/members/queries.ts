import { MEMBER_CANDIDATES_MAX, type Member, type MemberCandidate } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Role } from '../../platform/db/tables.ts'

/** A user in a project. */
export interface Membership {
  readonly project_id: string
  readonly user_id: number
}

export async function memberExists(
  db: Kysely<Database>,
  project_id: string,
  user_id: number,
): Promise<boolean> {
  const found = await db
    .selectFrom('project_members')
    .select('user_id')
    .where('project_id', '=', project_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return found !== undefined
}

const members = (db: Kysely<Database>, project_id: string) =>
  db
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.name', 'u.email', 'm.role'])
    .where('m.project_id', '=', project_id)

/** A project's members, in the order of their user ids. */
export async function listMembers(db: Kysely<Database>, project_id: string): Promise<Member[]> {
  return members(db, project_id).orderBy('m.user_id').execute()
}

export async function findMember(
  db: Kysely<Database>,
  { project_id, user_id }: Membership,
): Promise<Member | undefined> {
  return members(db, project_id).where('m.user_id', '=', user_id).executeTakeFirst()
}

/**
 * Returns users who are not members, by name; `q` is a literal part of their name or e-mail, ignoring case.
 */
export async function listMemberCandidates(
  db: Kysely<Database>,
  { project_id, q }: { readonly project_id: string; readonly q: string },
): Promise<MemberCandidate[]> {
  const { rows } = await sql<MemberCandidate>`
    select u.id as user_id, u.name, u.email
    from users u
    where (strpos(lower(u.name), lower(${q}::text)) > 0 or strpos(lower(u.email), lower(${q}::text)) > 0)
      and not exists (
        select from project_members m where m.project_id = ${project_id}::uuid and m.user_id = u.id)
    order by lower(u.name), u.id
    limit ${MEMBER_CANDIDATES_MAX}::int
  `.execute(db)
  return rows
}

/**
 * Returns a user's name and e-mail and locks them against deletion until the transaction ends. Undefined when
 * the user does not exist.
 */
export async function lockUserCardForShare(
  tx: Transaction<Database>,
  user_id: number,
): Promise<{ name: string; email: string } | undefined> {
  return tx
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', user_id)
    .forKeyShare()
    .executeTakeFirst()
}

/** False when the user already is a member; a pending creation is awaited. */
export async function insertMemberRow(
  tx: Transaction<Database>,
  row: Membership & { readonly role: Role; readonly created_at: string },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('project_members')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Locks a member against other changes of the membership until the transaction ends. Undefined for a user who
 * is not a member.
 */
export async function lockMember(
  tx: Transaction<Database>,
  { project_id, user_id }: Membership,
): Promise<Member | undefined> {
  return tx
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.name', 'u.email', 'm.role'])
    .where('m.project_id', '=', project_id)
    .where('m.user_id', '=', user_id)
    .forUpdate('m')
    .executeTakeFirst()
}

export async function updateMemberRow(
  tx: Transaction<Database>,
  { project_id, user_id }: Membership,
  role: Role,
): Promise<void> {
  await tx
    .updateTable('project_members')
    .set({ role })
    .where('project_id', '=', project_id)
    .where('user_id', '=', user_id)
    .execute()
}

export async function deleteMemberRow(
  tx: Transaction<Database>,
  { project_id, user_id }: Membership,
): Promise<void> {
  await tx
    .deleteFrom('project_members')
    .where('project_id', '=', project_id)
    .where('user_id', '=', user_id)
    .execute()
}
