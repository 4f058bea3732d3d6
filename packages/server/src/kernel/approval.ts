/** The approval settings of an environment (docs/reference/governance.md#approval-scopes). */
export interface ApprovalSwitch {
  readonly require_approval: boolean
  readonly approval_scope: 'patch' | 'all'
}

/** Returns whether every change to existing flags that SDKs see requires approval. */
export const isGuarded = ({ approval_scope, require_approval }: ApprovalSwitch): boolean =>
  require_approval && approval_scope === 'all'
