import { expect } from 'vitest'

/** What the audit log's `metadata` holds of the request that a write was made for. */
export const AUDIT_TRACE = {
  request_id: expect.any(String),
  address: expect.any(String),
  credential: { kind: expect.any(String), id: expect.anything() },
}
