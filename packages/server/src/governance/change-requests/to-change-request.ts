import type { ChangePreview, ChangeRequest, DecidedChange, StoredImpact } from '@burgee/contract'
import type { StoredRequest } from '../../kernel/domain-event-payload.ts'
import { diffFlags } from '../../targeting/flag-model/index.ts'
import { toApprovals } from './approvals.ts'
import type { StoredChangeRequest } from './queries.ts'

/** The change that a reader sees: of a pending request as it would be now, of a decided one as it was. */
interface Shown {
  /** The discussion; null in a list. */
  readonly comments: ChangeRequest['comments']
  readonly preview: ChangePreview | null
  readonly decided_change: DecidedChange | null
  /** The impact that was stored when the request was opened; absent in a list. */
  readonly impact?: StoredImpact
}

/** Converts a request for the API. */
export const toChangeRequest = (stored: StoredChangeRequest, shown: Shown): ChangeRequest => ({
  ...toStoredRequest(stored),
  ...shown,
})

/** Converts a request for events and the audit log. */
export function toStoredRequest({
  base_flag: _f,
  approvals,
  bytes: _b,
  comments: _c,
  decided: _d,
  requester: _r,
  requester_maker_ids: _m,
  requester_user_id: _u,
  ...request
}: StoredChangeRequest): StoredRequest {
  return { ...request, approvals: toApprovals(approvals) }
}

/** Returns the change as it was at the decision; null where it is unknown. */
export function toDecidedChange({ base_flag: before, decided }: StoredChangeRequest): DecidedChange | null {
  if (!decided) return null
  return { before, after: decided.after, changes: diffFlags(before, decided.after) }
}
