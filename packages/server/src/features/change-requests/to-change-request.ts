import type { ChangePreview, ChangeRequest } from '@burgee/contract'
import type { StoredChangeRequest } from './queries.ts'

/** Converts a request for the API. */
export function toChangeRequest(
  { base_flag: _f, bytes: _b, requester: _r, requester_user_id: _u, ...shown }: StoredChangeRequest,
  preview: ChangePreview | null,
): ChangeRequest {
  return { ...shown, preview }
}

/** Converts a request for events and the audit log. */
export function toStoredRequest(stored: StoredChangeRequest): Omit<ChangeRequest, 'preview'> {
  const { preview: _p, ...request } = toChangeRequest(stored, null)
  return request
}
