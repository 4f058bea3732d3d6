/** Whether an environment's changes are approved first, and which (docs/reference/governance.md#approval-scopes). */
export interface ApprovalSwitch {
  readonly require_approval: boolean
  readonly approval_scope: 'patch' | 'all'
}

/** Whether nothing that SDKs see of an existing flag there may change without an approval. */
export const isGuarded = ({ approval_scope, require_approval }: ApprovalSwitch): boolean =>
  require_approval && approval_scope === 'all'
