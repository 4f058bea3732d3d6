import { APPROVAL_TABLE, type Environment } from '@burgee/contract'
import { countOf } from '../../../shared/ui/count-of.ts'

export type ApprovalScope = Environment['approval_scope']

interface ScopeWords {
  readonly title: string
  readonly description: string
}

/** The names of the scopes (docs/reference/governance.md#approval-scopes). */
export const APPROVAL_LABELS: Readonly<Record<ApprovalScope, ScopeWords>> = {
  all: {
    title: 'Every change',
    description: 'Nothing that changes an existing flag passes without a second person.',
  },
  patch: {
    title: 'Edits only',
    description: 'Only edits of a flag wait. Everything in the list below passes without a review.',
  },
}

interface ScopeEffect {
  readonly passing: readonly string[]
  readonly forAdmins: readonly string[]
}

/** Returns the changes that pass without a review, and those that only workspace admins make. */
export const listEffects = (scope: ApprovalScope): ScopeEffect => ({
  passing: APPROVAL_TABLE.filter((row) => row[scope] === 'nothing').map(({ change }) => change),
  forAdmins: APPROVAL_TABLE.filter((row) => row[scope] === 'workspace admin').map(({ change }) => change),
})

/** Describes a setting in short: `Every change · 2 approvals · 3 approvers`. */
export function describeSetting({ approval_scope, approvers, min_approvals }: Environment): string {
  const parts = [APPROVAL_LABELS[approval_scope].title]
  if (min_approvals > 1) parts.push(`${min_approvals} approvals`)
  if (approvers.length > 0) parts.push(countOf(approvers.length, 'approver'))
  return parts.join(' · ')
}
