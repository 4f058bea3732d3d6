import type { Project } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { ProjectScope } from '../../kernel/scope.ts'
import type { Database } from '../../platform/db/tables.ts'
import { membershipIn, toMembership } from '../roles/index.ts'

/** The projects that are requested: all, those of a member, or one by its id. */
export type ProjectAudience =
  | { readonly kind: 'all' }
  | { readonly kind: 'member'; readonly user_id: number }
  | { readonly kind: 'one'; readonly project_id: string }

/** Returns projects, the oldest first. */
export async function listProjects(db: Kysely<Database>, audience: ProjectAudience): Promise<Project[]> {
  let query = db
    .selectFrom('projects as p')
    .select([
      'p.id',
      'p.name',
      'p.slug',
      sql<number>`(select count(*) from environments e where e.project_id = p.id)`.as('environment_count'),
      sql<number>`(select count(*) from project_members m where m.project_id = p.id)`.as('member_count'),
      'p.created_at',
    ])
    .orderBy('p.created_at')
    .orderBy('p.id')
  if (audience.kind === 'one') query = query.where('p.id', '=', audience.project_id)
  if (audience.kind === 'member') {
    const { user_id } = audience
    query = query.where(
      sql<boolean>`exists (select from project_members m where m.project_id = p.id and m.user_id = ${user_id})`,
    )
  }
  return query.execute()
}

/**
 * Returns a project's name and slug and locks it against other changes until the transaction ends; new
 * environments, keys and members do not wait. Undefined when it does not exist.
 */
export async function lockProject(
  tx: Transaction<Database>,
  project_id: string,
): Promise<{ name: string; slug: string } | undefined> {
  return tx
    .selectFrom('projects')
    .select(['name', 'slug'])
    .where('id', '=', project_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/**
 * Locks every project until the transaction ends, so that of two concurrent deletions the second sees the
 * result of the first. They are locked in the order of ids, so that the two cannot deadlock.
 */
export async function lockAllProjects(
  tx: Transaction<Database>,
): Promise<{ id: string; name: string; slug: string }[]> {
  return tx.selectFrom('projects').select(['id', 'name', 'slug']).orderBy('id').forNoKeyUpdate().execute()
}

export async function renameProjectRow(
  tx: Transaction<Database>,
  project_id: string,
  name: string,
): Promise<void> {
  await tx.updateTable('projects').set({ name }).where('id', '=', project_id).execute()
}

/** Everything in the project is deleted with it. */
export async function deleteProjectRow(tx: Transaction<Database>, project_id: string): Promise<void> {
  await tx.deleteFrom('projects').where('id', '=', project_id).execute()
}

export interface ProjectRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly created_at: string
}

/** The slugs that there are of a pattern of `like`. */
export async function findSlugs(db: Kysely<Database>, pattern: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('projects').select('slug').where('slug', 'like', pattern).execute()
  return new Set(rows.map(({ slug }) => slug))
}

/** False when a project already has the slug; a pending creation is awaited. */
export async function insertProjectRow(db: Kysely<Database>, project: ProjectRow): Promise<boolean> {
  const inserted = await db
    .insertInto('projects')
    .values(project)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Returns a project with the user's membership there; `user_id` is null for SDK keys. */
export async function findProjectScope(
  db: Kysely<Database>,
  project_id: string,
  user_id: number | null,
): Promise<ProjectScope | null> {
  const row = await db
    .selectFrom('projects as p')
    .select('p.id')
    .select((eb) => membershipIn(eb.ref('p.id'), user_id).as('membership'))
    .where('p.id', '=', project_id)
    .executeTakeFirst()
  if (!row) return null
  return { project_id: row.id, membership: row.membership && toMembership(row.membership), environment: null }
}
