import type { CreatedProject } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { conflict } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { seedEnvironments } from '../environments/index.ts'
import { insertSdkKey } from '../sdk-keys/index.ts'
import { numberedSlug, projectSlug } from './project-slug.ts'
import { findSlugs, insertProjectRow, type ProjectRow } from './queries.ts'

export interface NewProject {
  readonly name: string
  /** Made from the name where it is not given. */
  readonly slug?: string | null | undefined
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
  { createdBy, name, newId, now, sdk_key, slug }: NewProject,
): Promise<CreatedProject> {
  const project = await insertWithSlug(tx, { id: newId(), name, created_at: now }, slug ?? projectSlug(name))
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

type Unnamed = Omit<ProjectRow, 'slug'>

/** A slug that is given or comes from the name must be free. Names that leave nothing are numbered. */
async function insertWithSlug(
  tx: Transaction<Database>,
  project: Unnamed,
  slug: string | null,
): Promise<ProjectRow> {
  if (slug === null) return insertNumbered(tx, project)
  const named = { ...project, slug }
  if (await insertProjectRow(tx, named)) return named
  throw conflict(
    `There is a project with the slug "${slug}" already. Choose another name, or send another slug with it.`,
  )
}

/**
 * Inserts a project with the first free numbered slug. The loop repeats only when another project took that
 * number meanwhile.
 */
async function insertNumbered(tx: Transaction<Database>, project: Unnamed): Promise<ProjectRow> {
  for (;;) {
    const taken = await findSlugs(tx, `${numberedSlug(1)}%`)
    let number = 1
    while (taken.has(numberedSlug(number))) number += 1
    const numbered = { ...project, slug: numberedSlug(number) }
    if (await insertProjectRow(tx, numbered)) return numbered
  }
}
