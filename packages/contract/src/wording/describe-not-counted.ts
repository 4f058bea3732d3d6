import type { NotCounted } from '../schemas/change-request.ts'

/** The reasons for which an approval does not count, in the words of the dashboard. */
export const NOT_COUNTED_WORDS: Readonly<Record<NotCounted, string>> = {
  flag_changed: 'The flag has changed since this approval',
  reviewer_disabled: 'The account of the reviewer is disabled',
  reviewer_gone: 'The account or key of the reviewer was deleted',
  no_permission: 'The reviewer may not review changes here any more',
  not_an_approver: 'The reviewer is not an approver of this environment any more',
}
