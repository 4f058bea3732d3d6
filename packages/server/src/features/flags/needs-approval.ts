import { type ApprovalSwitch, isGuarded } from '../../kernel/approval.ts'
import type { FlagOperation } from './flag-operation.ts'

type Operation = FlagOperation['operation']

/**
 * The operations of the scope `patch` (docs/reference/governance.md#approval-scopes): patches, also those of
 * a bulk action.
 */
const PATCHES: readonly Operation[] = ['patch', 'add_tags', 'remove_tags']

/** Returns whether a change to an existing flag needs approval. */
export const needsApproval = (environment: ApprovalSwitch, operation: Operation): boolean =>
  isGuarded(environment) || (environment.require_approval && PATCHES.includes(operation))
