import type { Transaction } from 'kysely'
import type { EnvironmentWrite } from '../../changes/index.ts'
import { type ApprovalSwitch, isGuarded } from '../../kernel/approval.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { FlagOperation } from '../flag-model/index.ts'
import { isNamedOrExisted } from './creation-queries.ts'

export interface CreationDeps {
  /**
   * Returns whether a pending change would name the key as a prerequisite: a reviewer approves the effect of
   * a change, for which the flag did not exist.
   */
  readonly isNamedByWaiting: (
    tx: Transaction<Database>,
    environment_id: string,
    key: string,
  ) => Promise<boolean>
}

type Operation = FlagOperation['operation']

/**
 * The operations of the scope `patch` (docs/reference/governance.md#approval-scopes): patches, also those of
 * a bulk action.
 */
const PATCHES: readonly Operation[] = ['patch', 'add_tags', 'remove_tags']

/** Returns whether a change to an existing flag needs approval. */
export const needsApproval = (environment: ApprovalSwitch, operation: Operation): boolean =>
  isGuarded(environment) || (environment.require_approval && PATCHES.includes(operation))

/**
 * Returns whether creating a flag needs approval: where every change does, when a flag names the key as its
 * prerequisite and may then evaluate differently, and when programs may still evaluate a deleted flag of this
 * key.
 */
export async function needsApprovalToExist(
  { isNamedByWaiting }: CreationDeps,
  { environment, tx }: EnvironmentWrite,
  key: string,
): Promise<boolean> {
  if (!isGuarded(environment)) return false
  return (
    (await isNamedOrExisted(tx, environment.id, key)) || (await isNamedByWaiting(tx, environment.id, key))
  )
}
