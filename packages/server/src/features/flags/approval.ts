import { type ApprovalSwitch, isGuarded } from '../../kernel/approval.ts'
import type { FlagOperation } from './flag-operation.ts'

type Operation = FlagOperation['operation']

/** What the scope `patch` covers (docs/reference/governance.md#approval-scopes): patches, also those that a bulk action makes. */
const PATCHES: readonly Operation[] = ['patch', 'add_tags', 'remove_tags']

/** Whether a change to a flag that exists must be approved first. */
export const needsApproval = (environment: ApprovalSwitch, operation: Operation): boolean =>
  isGuarded(environment) || (environment.require_approval && PATCHES.includes(operation))
