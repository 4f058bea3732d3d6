import type { Environment } from '@burgee/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { insertEnvironment } from './queries.ts'

/** The environments of a new project, in list order: red, amber, green. Development is the default. */
const SEEDED_ENVIRONMENTS = [
  { name: 'Production', slug: 'production', color: '#ef4444', is_default: false },
  { name: 'Staging', slug: 'staging', color: '#f59e0b', is_default: false },
  { name: 'Development', slug: 'development', color: '#22c55e', is_default: true },
] as const

export type SeededEnvironments = [production: Environment, staging: Environment, development: Environment]

/** Creates the three environments of a new project. */
export async function seedEnvironments(
  tx: Transaction<Database>,
  { newId, now, project_id }: { newId: () => string; now: string; project_id: string },
): Promise<SeededEnvironments> {
  const [production, staging, development] = SEEDED_ENVIRONMENTS
  const insert = async (seed: (typeof SEEDED_ENVIRONMENTS)[number]) => {
    const inserted = await insertEnvironment(tx, { ...seed, id: newId(), project_id, created_at: now })
    if (!inserted) throw new Error(`the new project has an environment "${seed.slug}" already`)
    return inserted
  }
  // One after another, because their positions are their order.
  return [await insert(production), await insert(staging), await insert(development)]
}
