import type { Invariant } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { membershipIn } from '../../structure/roles/index.ts'
import { type StoredDemand, toInvariant } from './invariant.ts'

const COLUMNS = [
  'key',
  'description',
  'environments',
  'demand',
  'enforcement',
  'created_by',
  'created_at',
] as const

/** Lists a project's invariants by key. Their number is bounded. */
export async function listInvariants(db: Kysely<Database>, project_id: string): Promise<Invariant[]> {
  const rows = await db
    .selectFrom('invariants')
    .select(COLUMNS)
    .where('project_id', '=', project_id)
    .orderBy('key')
    .execute()
  return rows.map(toInvariant)
}

export async function findInvariant(
  db: Kysely<Database>,
  project_id: string,
  key: string,
): Promise<Invariant | undefined> {
  const row = await db
    .selectFrom('invariants')
    .select(COLUMNS)
    .where('project_id', '=', project_id)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && toInvariant(row)
}

/** Stores an invariant, new or changed. */
export async function saveInvariant(
  tx: Transaction<Database>,
  project_id: string,
  { created_at, created_by, description, enforcement, environments, key, ...demand }: Invariant,
): Promise<void> {
  const stored: StoredDemand = demand
  const content = {
    description,
    enforcement,
    environments: environments === null ? null : JSON.stringify(environments),
    demand: JSON.stringify(stored),
  }
  await tx
    .insertInto('invariants')
    .values({ project_id, key, created_by, created_at, ...content })
    .onConflict((conflict) => conflict.columns(['project_id', 'key']).doUpdateSet(content))
    .execute()
  await markEnvironments(tx, project_id)
}

/** States in the rows of the environments whether the project has invariants. */
async function markEnvironments(tx: Transaction<Database>, project_id: string): Promise<void> {
  const has_invariants = sql<boolean>`exists(select from invariants where project_id = ${project_id})`
  await tx
    .updateTable('environments')
    .set({ has_invariants })
    .where('project_id', '=', project_id)
    .where('has_invariants', '<>', has_invariants)
    .execute()
}

export async function deleteInvariantRow(
  tx: Transaction<Database>,
  project_id: string,
  key: string,
): Promise<void> {
  await tx.deleteFrom('invariants').where('project_id', '=', project_id).where('key', '=', key).execute()
  await markEnvironments(tx, project_id)
}

/** Locks the project's row until the transaction ends: one write of its invariants runs at a time. */
export async function lockInvariantsOf(tx: Transaction<Database>, project_id: string): Promise<void> {
  await tx.selectFrom('projects').select('id').where('id', '=', project_id).forNoKeyUpdate().execute()
}

/** Returns the stored membership of a user in a project; null for a user who is no member. */
export async function findMembership(db: Kysely<Database>, project_id: string, user_id: number) {
  const { membership } = await db
    .selectNoFrom(membershipIn(sql`${project_id}::uuid`, user_id).as('membership'))
    .executeTakeFirstOrThrow()
  return membership
}
