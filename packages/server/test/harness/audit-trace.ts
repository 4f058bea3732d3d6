import { expect } from 'vitest'

/** The audit log's `metadata` about the request of a write. */
export const AUDIT_TRACE = {
  request_id: expect.any(String),
  address: expect.any(String),
  credential: { kind: expect.any(String), id: expect.anything() },
}

/** The same for entries about other things than flags, which name the program as well. */
export const RESOURCE_AUDIT_TRACE = { ...AUDIT_TRACE, user_agent: expect.any(String) }
