import type { CreatedProject } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { conflict } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { seedEnvironments } from '../environments/index.ts'
import { insertSdkKey } from '../sdk-keys/index.ts'
import { projectSlug } from './project-slug.ts'
import { insertProjectRow } from './queries.ts'

export interface NewProject {
  readonly name: string
  /** The time, ISO 8601 in UTC. */
  readonly now: string
  /** Creates UUIDs. */
  readonly newId: () => string
  /** The user who creates it; null when unknown. */
  readonly createdBy: number | null
  /** The Production key, instead of a generated one. */
  readonly sdk_key?: string
}

/**
 * Stores a project with its three environments and its Production key, whose full value only the response
 * has. It adds no members. Refuses with `conflict` when the slug exists.
 */
export async function insertProject(
  tx: Transaction<Database>,
  { createdBy, name, newId, now, sdk_key }: NewProject,
): Promise<CreatedProject> {
  const project = { id: newId(), name, slug: projectSlug(name), created_at: now }
  if (!(await insertProjectRow(tx, project))) {
    throw conflict(`There is a project with the slug "${project.slug}" already. Choose another name.`)
  }
  const environments = await seedEnvironments(tx, { newId, now, project_id: project.id })
  const [production] = environments
  const key = await insertSdkKey(tx, {
    project_id: project.id,
    environment: production,
    name: production.name,
    kind: 'server',
    origin: { parent_id: null, createdBy, isSeeded: true },
    now,
    ...(sdk_key !== undefined && { key: sdk_key }),
  })
  return { ...project, environment_count: environments.length, member_count: 0, environments, sdk_key: key }
}
