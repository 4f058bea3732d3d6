import type { Project } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { ProjectScope } from '../../kernel/scope.ts'
import type { Database } from '../../platform/db/tables.ts'

/** Whose projects are asked for: everybody's, one member's, or one project by its id. */
export type ProjectAudience =
  | { readonly kind: 'all' }
  | { readonly kind: 'member'; readonly user_id: number }
  | { readonly kind: 'one'; readonly project_id: string }

/** Projects, the oldest first. */
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
 * A project's name and slug, locked against other changes until the transaction ends; new environments, keys and members
 * are not kept waiting. Undefined when it is gone.
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
 * Every project, locked until the transaction ends: of two deletions at the same time the second sees what the first has
 * left. In the order of their ids, so that the two cannot wait for each other.
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

/** Whatever belongs to the project goes with it. */
export async function deleteProjectRow(tx: Transaction<Database>, project_id: string): Promise<void> {
  await tx.deleteFrom('projects').where('id', '=', project_id).execute()
}

/** False when a project has the slug already; one that is being created elsewhere is waited for. */
export async function insertProjectRow(
  db: Kysely<Database>,
  project: { id: string; name: string; slug: string; created_at: string },
): Promise<boolean> {
  const inserted = await db
    .insertInto('projects')
    .values(project)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** A project, with the user's membership there; `user_id` is null for SDK keys. */
export async function findProjectScope(
  db: Kysely<Database>,
  project_id: string,
  user_id: number | null,
): Promise<ProjectScope | null> {
  const row = await db
    .selectFrom('projects as p')
    .leftJoin('project_members as m', (join) =>
      join.onRef('m.project_id', '=', 'p.id').on('m.user_id', '=', user_id),
    )
    .select(['p.id', 'm.role'])
    .where('p.id', '=', project_id)
    .executeTakeFirst()
  return row ? { project_id: row.id, membership: row.role, environment: null } : null
}
