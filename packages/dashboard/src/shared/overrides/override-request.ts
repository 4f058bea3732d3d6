import type { Violation } from '@burgee/contract'
import { createTextRequest } from '../text-requests/text-request.ts'

/** A write that invariants block. */
export interface BlockedWrite {
  readonly violations: readonly Violation[]
  /** Undefined for a write of no single environment. */
  readonly environment_id: string | undefined
}

/** The reason for overriding the invariants that block a write. */
export const overrideRequest = createTextRequest<BlockedWrite>()

/** Requests the reason for an override. Null: the write is not sent again. */
export const requestOverride = async (
  violations: readonly Violation[],
  environment_id: string | undefined,
): Promise<string | null> =>
  violations.length > 0 ? overrideRequest.request({ violations, environment_id }) : null
