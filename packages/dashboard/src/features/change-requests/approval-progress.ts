import type { ChangeRequest, Environment } from '@burgee/contract'

type Approval = ChangeRequest['approvals'][number]

export interface ApprovalProgress {
  readonly approvals: readonly (Approval & { readonly isCounted: boolean })[]
  readonly given: number
  readonly needed: number
}

/**
 * Returns how far a request is. An approval counts while the flag has the revision that was approved; without
 * a preview, that is not known and each counts.
 */
export function approvalProgress(
  { approvals, preview, status }: Pick<ChangeRequest, 'approvals' | 'preview' | 'status'>,
  environment: Pick<Environment, 'min_approvals'> | undefined,
): ApprovalProgress {
  const isCounted = ({ flag_revision }: Approval) =>
    status !== 'pending' || !preview || flag_revision === (preview.before?.revision ?? null)
  const shown = approvals.map((approval) => ({ ...approval, isCounted: isCounted(approval) }))
  return {
    approvals: shown,
    given: shown.filter((approval) => approval.isCounted).length,
    needed: environment?.min_approvals ?? 1,
  }
}

/** Describes the progress of a pending request: `1 of 2 approvals`. */
export const describeProgress = ({ given, needed }: ApprovalProgress): string =>
  `${given} of ${needed} ${needed === 1 ? 'approval' : 'approvals'}`
