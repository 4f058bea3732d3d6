import { MEMBER_CANDIDATES_MAX, type Member, type MemberCandidate } from '@burgee/contract'
import { type Expression, type Kysely, sql, type Transaction } from 'kysely'
import type { Membership as Roles } from '../../kernel/scope.ts'
import type { Database, RightSource, UserKind } from '../../platform/db/tables.ts'
import { membershipIn, toMembership } from '../roles/index.ts'

/** A user in a project. */
export interface Membership {
  readonly project_id: string
  readonly user_id: number
}

const members = (db: Kysely<Database>, project_id: string) =>
  db
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.name', 'u.email', 'u.kind', 'm.role'])
    .select((eb) => overridesOf(project_id, eb.ref('u.id')).as('overrides'))
    .where('m.project_id', '=', project_id)

type Overrides = NonNullable<Member['environment_roles']> | null

/** The roles of a user in single environments of a project, also those of an earlier membership. */
const overridesOf = (project_id: string, user_id: Expression<number>) => sql<Overrides>`(
  select json_agg(json_build_object('environment_id', o.environment_id, 'role', o.role)
    order by o.environment_id)
  from environment_roles o where o.project_id = ${project_id}::uuid and o.user_id = ${user_id})`

/** A user as a row has them: a member, or one who may become a member. */
interface Row {
  readonly user_id: number
  readonly name: string
  readonly email: string
  readonly kind: UserKind
  readonly overrides: Overrides
}

const toMember = <R extends Row>({ kind, overrides, ...user }: R) => ({
  ...withKind(user, kind),
  ...(overrides !== null && { environment_roles: overrides }),
})

/** Marks service accounts. */
const withKind = <T extends object>(user: T, kind: UserKind): T & { readonly kind?: 'service_account' } =>
  kind === 'service_account' ? { ...user, kind } : user

/** A project's members, in the order of their user ids. */
export async function listMembers(db: Kysely<Database>, project_id: string): Promise<Member[]> {
  return (await members(db, project_id).orderBy('m.user_id').execute()).map(toMember)
}

export async function findMember(
  db: Kysely<Database>,
  { project_id, user_id }: Membership,
): Promise<Member | undefined> {
  const row = await members(db, project_id).where('m.user_id', '=', user_id).executeTakeFirst()
  return row && toMember(row)
}

/**
 * Returns users who are not members, by name; `q` is a literal part of their name or e-mail, ignoring case.
 */
export async function listMemberCandidates(
  db: Kysely<Database>,
  { project_id, q }: { readonly project_id: string; readonly q: string },
): Promise<MemberCandidate[]> {
  const { rows } = await sql<Row>`
    select u.id as user_id, u.name, u.email, u.kind, ${overridesOf(project_id, sql.ref('u.id'))} as overrides
    from users u
    where (strpos(lower(u.name), lower(${q}::text)) > 0 or strpos(lower(u.email), lower(${q}::text)) > 0)
      and not exists (
        select from project_members m where m.project_id = ${project_id}::uuid and m.user_id = u.id)
    order by lower(u.name), u.id
    limit ${MEMBER_CANDIDATES_MAX}::int
  `.execute(db)
  return rows.map(toMember)
}

/** Locks a user against deletion until the transaction ends. False when the user does not exist. */
export async function lockUserForShare(tx: Transaction<Database>, user_id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', user_id)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

interface NewMember extends Membership {
  readonly role: string
  readonly created_at: string
  /** The giver: what groups of the identity provider gave, they may change and take away. */
  readonly source: RightSource
}

/** False when the user already is a member; a pending creation is awaited. */
export async function insertMemberRow(tx: Transaction<Database>, row: NewMember): Promise<boolean> {
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
  const row = await members(tx, project_id).where('m.user_id', '=', user_id).forUpdate('m').executeTakeFirst()
  return row && toMember(row)
}

/**
 * Sets the role of a member. What a person has changed, groups of the identity provider do not change; naming
 * the same role keeps it theirs.
 */
export async function updateMemberRow(
  tx: Transaction<Database>,
  { project_id, user_id }: Membership,
  { role, source }: { readonly role: string; readonly source: RightSource },
): Promise<void> {
  await tx
    .updateTable('project_members')
    .set({ role, source: sql`case when role = ${role}::text then source else ${source}::text end` })
    .where('project_id', '=', project_id)
    .where('user_id', '=', user_id)
    .execute()
}

/** Ends the roles of a member in single environments. */
export async function deleteEnvironmentRoles(
  tx: Transaction<Database>,
  { project_id, user_id }: Membership,
): Promise<void> {
  await tx
    .deleteFrom('environment_roles')
    .where('project_id', '=', project_id)
    .where('user_id', '=', user_id)
    .execute()
}

/** Ends a membership. The roles in single environments stay, for when the user becomes a member again. */
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

/** Returns the roles of a member who exists. */
export async function readMembership(
  tx: Transaction<Database>,
  { project_id, user_id }: Membership,
): Promise<Roles> {
  const { membership } = await tx
    .selectFrom('project_members as p')
    .select((eb) => membershipIn(eb.ref('p.project_id'), user_id).as('membership'))
    .where('p.project_id', '=', project_id)
    .where('p.user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  if (!membership) throw new Error('The member was removed while its row was locked.')
  return toMembership(membership)
}

/** Sets a member's roles in single environments; null removes one. */
export async function putEnvironmentRoles(
  tx: Transaction<Database>,
  { project_id, user_id }: Membership,
  overrides: readonly { readonly environment_id: string; readonly role: string | null }[],
): Promise<void> {
  if (overrides.length === 0) return
  const ids = overrides.map(({ environment_id }) => environment_id)
  await tx
    .deleteFrom('environment_roles')
    .where('user_id', '=', user_id)
    .where('environment_id', 'in', ids)
    .execute()
  const rows = overrides.flatMap(({ environment_id, role }) =>
    role === null ? [] : [{ project_id, user_id, environment_id, role }],
  )
  if (rows.length > 0) await tx.insertInto('environment_roles').values(rows).execute()
}

/** A membership of a user, and who gave it. */
export interface UserMembership {
  readonly project_id: string
  readonly role: string
  readonly source: RightSource
}

/** Locks the memberships of a user until the transaction ends. */
export async function lockMemberships(
  tx: Transaction<Database>,
  user_id: number,
): Promise<readonly UserMembership[]> {
  return tx
    .selectFrom('project_members')
    .select(['project_id', 'role', 'source'])
    .where('user_id', '=', user_id)
    .orderBy('project_id')
    .forUpdate()
    .execute()
}
