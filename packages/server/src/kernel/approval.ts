import type { Approvers } from '@burgee/contract'
import type { Actor } from './actor.ts'

/** The approval settings of an environment (docs/reference/governance.md#approval-scopes). */
export interface ApprovalSwitch {
  readonly require_approval: boolean
  readonly approval_scope: 'patch' | 'all'
}

/** The people who may approve changes: users and roles. All reviewers where the list is empty. */
export interface ApproverList {
  readonly approvers: Approvers
}

/** Returns whether the actor, with this role in the environment, is on the list of its approvers. */
export function isApprover(list: ApproverList, actor: Actor, role: string | null): boolean {
  if (list.approvers.length === 0) return true
  return actor.kind === 'user' && isListed(list, { user_id: actor.user_id, role })
}

/** Returns whether a user with this role in the environment is on the list, or the list is empty. */
export const isListed = (
  { approvers }: ApproverList,
  { role, user_id }: { readonly user_id: number; readonly role: string | null },
): boolean =>
  approvers.length === 0 ||
  approvers.some((one) => ('user_id' in one ? one.user_id === user_id : one.role === role))

/** Returns whether every change to existing flags that SDKs see requires approval. */
export const isGuarded = ({ approval_scope, require_approval }: ApprovalSwitch): boolean =>
  require_approval && approval_scope === 'all'
