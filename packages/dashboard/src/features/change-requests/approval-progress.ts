import type { ChangeRequest, Environment } from '@burgee/contract'
import { countOf } from '../../shared/ui/count-of.ts'

type Approval = ChangeRequest['approvals'][number]
type NotCounted = NonNullable<Approval['not_counted']>

export interface ApprovalProgress {
  /** The approvals that count. */
  readonly given: number
  readonly needed: number
}

/** Returns how many of the approvals that a request needs it has. */
export const approvalProgress = (
  { approvals }: Pick<ChangeRequest, 'approvals'>,
  environment: Pick<Environment, 'min_approvals'> | undefined,
): ApprovalProgress => ({
  given: approvals.filter(({ not_counted }) => not_counted === null).length,
  needed: environment?.min_approvals ?? 1,
})

/** Describes the progress of a pending request: `1 of 2 approvals`. */
export const describeProgress = ({ given, needed }: ApprovalProgress): string =>
  `${given} of ${countOf(needed, 'approval')}`

/** The reasons why an approval does not count any more. */
export const NOT_COUNTED_WORDS: Readonly<Record<NotCounted, string>> = {
  flag_changed: 'the flag has changed since. It can be given again.',
  no_permission: 'the reviewer may not review here any more.',
  not_an_approver: 'the reviewer is no approver any more.',
  reviewer_disabled: 'the account of the reviewer is disabled.',
  reviewer_gone: 'the reviewer does not exist any more.',
}
