import type { Approvers } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { WireFlag } from '../kernel/wire-flag.ts'
import { compileStatement } from '../platform/db/compile-statement.ts'
import type { Database } from '../platform/db/tables.ts'
import { bumpRevision } from '../platform/db/workspace-row.ts'
import { wholeText } from './chunk-queries.ts'
import type { FlagChange } from './flag-change.ts'

export interface LockedEnvironment {
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly slug: string
  readonly require_approval: boolean
  readonly approval_scope: 'patch' | 'all'
  /** The people who must approve a change, and those who may; all reviewers where the list is empty. */
  readonly min_approvals: number
  readonly approvers: Approvers
  /** Writes need a comment. */
  readonly require_comment: boolean
  /** The project has invariants. */
  readonly has_invariants: boolean
  readonly revision: number
  /** The bytes that its writes have stored. */
  readonly stored_bytes: number
}

/**
 * Locks the environment's row against other writes until the transaction ends. Key shares of child rows still
 * pass.
 */
export async function lockEnvironment(
  tx: Transaction<Database>,
  environment_id: string,
): Promise<LockedEnvironment | undefined> {
  const { rows } = await tx.executeQuery<LockedEnvironment>(LOCK_ENVIRONMENT({ environment_id }))
  return rows[0]
}

const LOCK_ENVIRONMENT = compileStatement(`
  select id, project_id, name, slug, require_approval, approval_scope, min_approvals, approvers, require_comment,
    has_invariants, revision, stored_bytes
  from environments where id = :environment_id::uuid for no key update`)

/** A change in the log. */
export type StoredChange = FlagChange & { readonly revision: number }

/** The bytes of changes that are read at once. */
const CHANGES_READ_BYTES = 8 * 1024 * 1024

/**
 * Reads at most `limit` changes after `revision`, in order, with the time when the first was stored; null
 * when there is none. Large flags reduce the number.
 */
export async function readChanges(
  db: Kysely<Database>,
  environment_id: string,
  revision: number,
  limit: number,
): Promise<{ changes: StoredChange[]; created_at: string | null }> {
  const sized = db
    .selectFrom('environment_changes')
    .select([
      'environment_id',
      'revision',
      'kind',
      'flag_key',
      'flag',
      'flag_chunks',
      'origins',
      'chunk_month',
      'created_at',
    ])
    .select(sql<number>`sum(coalesce(flag_size, 0)) over (order by revision)`.as('bytes'))
    .select(sql<number>`row_number() over (order by revision)`.as('nth'))
    .where('environment_id', '=', environment_id)
    .where('revision', '>', revision)
    .orderBy('revision')
    .limit(limit)
  const flag = wholeText({
    json: 'flag',
    chunks: 'flag_chunks',
    month: 'chunk_month',
    environment_id: 'environment_id',
  })
  const rows = await db
    .selectFrom(sized.as('sized'))
    .select(['revision', 'kind', 'flag_key', 'origins', 'created_at'])
    .select(sql<WireFlag | null>`${flag}::json`.as('flag'))
    .where((eb) => eb.or([eb('bytes', '<=', CHANGES_READ_BYTES), eb('nth', '=', 1)]))
    .orderBy('revision')
    .execute()
  const changes = rows.map(({ flag, flag_key, kind, origins, revision }): StoredChange => {
    if (kind !== 'upsert') return { kind, flag_key, revision }
    return flag
      ? { kind, flag_key, revision, flag: origins ? { ...flag, origins } : flag }
      : { kind: 'delete', flag_key, revision }
  })
  return { changes, created_at: rows[0]?.created_at ?? null }
}

/** The revisions that the poll reads. */
interface Revisions {
  /** Those of the given environments that exist. */
  readonly environments: Map<string, number>
  readonly access_revision: number
  /** A counter that grows when groups give people other roles, which are still to be given. */
  readonly groups_revision: number
}

/** Reads what the poll needs. */
export async function readRevisions(
  db: Kysely<Database>,
  environmentIds: readonly string[],
): Promise<Revisions> {
  const { rows } = await sql<{ id: string | null; revision: number; groups_revision: number }>`
    select null::uuid as id, access_revision as revision, groups_revision from workspace
    union all
    select id, revision, 0 from environments where id = any(${environmentIds}::uuid[])
  `.execute(db)
  const environments = new Map<string, number>()
  let access_revision = 0
  let groups_revision = 0
  for (const { id, revision, ...workspace } of rows) {
    if (id !== null) environments.set(id, revision)
    else {
      access_revision = revision
      groups_revision = workspace.groups_revision
    }
  }
  return { environments, access_revision, groups_revision }
}

/**
 * Announces a change of rights to every instance: credentials are looked up again and open streams authorized
 * again. Call it in the transaction of the change, and publish the hint after the commit.
 */
export async function bumpAccessRevision(tx: Transaction<Database>): Promise<void> {
  await bumpRevision(tx, 'access_revision')
}
