import type { Project } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
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
