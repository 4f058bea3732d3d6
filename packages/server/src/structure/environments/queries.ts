import type { Environment } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { ProjectScope } from '../../kernel/scope.ts'
import type { Database } from '../../platform/db/tables.ts'
import { membershipIn, toMembership } from '../roles/index.ts'

const COLUMNS = [
  'id',
  'name',
  'slug',
  'color',
  'is_default',
  'created_at',
  'require_approval',
  'approval_scope',
  'min_approvals',
  'approvers',
  'keys_may_manage',
  'require_comment',
  'seen_users',
  'private_attributes',
  // The workspace's setting has priority. Its row always exists.
  sql<boolean>`environments.keys_may_manage and (select w.keys_may_manage from workspace as w)`.as(
    'keys_may_manage_effective',
  ),
  sql<string | null>`case when environments.history_since is not null
    then greatest(environments.history_since, (select w.history_horizon from workspace as w)) end`.as(
    'history_since',
  ),
] as const

/** Returns a project's environments in the order of their creation. */
export async function listEnvironments(db: Kysely<Database>, project_id: string): Promise<Environment[]> {
  return db
    .selectFrom('environments')
    .select(COLUMNS)
    .where('project_id', '=', project_id)
    .orderBy('position')
    .execute()
}

export async function findEnvironment(
  db: Kysely<Database>,
  { environment_id, project_id }: EnvironmentPlace,
): Promise<Environment | undefined> {
  return db
    .selectFrom('environments')
    .select(COLUMNS)
    .where('id', '=', environment_id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
}

export interface NewEnvironment {
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly slug: string
  readonly color: string
  readonly is_default: boolean
  /** The time, ISO 8601 in UTC. */
  readonly created_at: string
}

/** Undefined when the project already has an environment with the slug; a pending creation is awaited. */
export async function insertEnvironment(
  db: Kysely<Database>,
  environment: NewEnvironment,
): Promise<Environment | undefined> {
  return db
    .insertInto('environments')
    .values({
      ...environment,
      history_since: environment.created_at,
      has_invariants: sql<boolean>`exists(select from invariants where project_id = ${environment.project_id})`,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'slug']).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

/**
 * Locks the project's row against deletion and new invariants until the transaction ends. False when it does
 * not exist.
 */
export async function lockProjectForShare(tx: Transaction<Database>, project_id: string): Promise<boolean> {
  const held = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', project_id)
    .forShare()
    .executeTakeFirst()
  return held !== undefined
}

/**
 * Locks a project's environments until the transaction ends and returns them in list order: against other
 * changes, or, before a deletion, against every use. They are locked in the order of their ids, as
 * everywhere.
 */
export async function lockEnvironmentsOf(
  tx: Transaction<Database>,
  project_id: string,
  purpose: 'for_change' | 'for_deletion',
): Promise<Environment[]> {
  const chosen = tx
    .selectFrom('environments')
    .select([...COLUMNS, 'position'])
    .where('project_id', '=', project_id)
    .orderBy('id')
  const locked = purpose === 'for_deletion' ? chosen.forUpdate() : chosen.forNoKeyUpdate()
  const rows = await locked.execute()
  rows.sort((left, right) => left.position - right.position)
  return rows.map(({ position: _, ...environment }) => environment)
}

/** Locks one environment of the project against other changes. Undefined when it does not exist. */
export async function lockEnvironmentOf(
  tx: Transaction<Database>,
  { environment_id, project_id }: EnvironmentPlace,
): Promise<Environment | undefined> {
  return tx
    .selectFrom('environments')
    .select(COLUMNS)
    .where('id', '=', environment_id)
    .where('project_id', '=', project_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The place of an environment: its project and id. */
export interface EnvironmentPlace {
  readonly project_id: string
  readonly environment_id: string
}

/** Updates an environment and returns it. */
export async function updateEnvironmentRow(
  tx: Transaction<Database>,
  environment_id: string,
  {
    approvers,
    private_attributes,
    ...set
  }: Partial<
    Pick<
      Environment,
      | 'name'
      | 'color'
      | 'require_approval'
      | 'approval_scope'
      | 'min_approvals'
      | 'approvers'
      | 'keys_may_manage'
      | 'require_comment'
      | 'seen_users'
      | 'private_attributes'
    >
  >,
): Promise<Environment> {
  return tx
    .updateTable('environments')
    .set({
      ...set,
      ...(approvers && { approvers: JSON.stringify(approvers) }),
      ...(private_attributes && { private_attributes: JSON.stringify(private_attributes) }),
    })
    .where('id', '=', environment_id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Two statements: in one, the row of the new default could be written before that of the old one. */
export async function moveDefault(
  tx: Transaction<Database>,
  { environment_id, project_id }: EnvironmentPlace,
): Promise<void> {
  await tx
    .updateTable('environments')
    .set({ is_default: false })
    .where('project_id', '=', project_id)
    .where('is_default', '=', true)
    .execute()
  await tx.updateTable('environments').set({ is_default: true }).where('id', '=', environment_id).execute()
}

/** Everything in the environment is deleted with it. */
export async function deleteEnvironmentRow(tx: Transaction<Database>, environment_id: string): Promise<void> {
  await tx.deleteFrom('environments').where('id', '=', environment_id).execute()
}

/**
 * Returns an environment and its project, with the user's membership there; `user_id` is null for SDK keys.
 */
export async function findEnvironmentScope(
  db: Kysely<Database>,
  environment_id: string,
  user_id: number | null,
): Promise<ProjectScope | null> {
  const row = await db
    .selectFrom('environments as e')
    .select(['e.id', 'e.project_id'])
    .select((eb) => membershipIn(eb.ref('e.project_id'), user_id).as('membership'))
    .where('e.id', '=', environment_id)
    .executeTakeFirst()
  if (!row) return null
  const { id, membership, project_id } = row
  return { project_id, membership: membership && toMembership(membership), environment: { id } }
}

/**
 * Returns the name of an environment of the project and locks it against deletion until the transaction ends;
 * undefined when there is none.
 */
export async function findEnvironmentName(
  tx: Transaction<Database>,
  { environment_id, project_id }: EnvironmentPlace,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('environments')
    .select('name')
    .where('id', '=', environment_id)
    .where('project_id', '=', project_id)
    .forKeyShare()
    .executeTakeFirst()
  return row?.name
}

/** Returns the name of an environment of the project; undefined when there is none. */
export async function findNameIn(
  db: Kysely<Database>,
  { environment_id, project_id }: EnvironmentPlace,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('environments')
    .select('name')
    .where('id', '=', environment_id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return row?.name
}

/** Returns the environment of the legacy SDK_KEY (docs/operations.md); null before setup. */
export async function defaultEnvironmentOfOldestProject(
  db: Kysely<Database>,
): Promise<{ project_id: string; environment_id: string; mayManage: boolean } | null> {
  const row = await db
    .selectFrom('projects as p')
    .innerJoin('environments as e', (join) =>
      join.onRef('e.project_id', '=', 'p.id').on('e.is_default', '=', true),
    )
    .innerJoin('workspace as w', (join) => join.onTrue())
    .select(['p.id as project_id', 'e.id as environment_id'])
    .select(sql<boolean>`e.keys_may_manage and w.keys_may_manage`.as('mayManage'))
    .orderBy('p.created_at')
    .orderBy('p.id')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
