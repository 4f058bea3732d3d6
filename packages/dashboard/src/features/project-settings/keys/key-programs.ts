import type { SdkKey } from '@burgee/contract'
import { countOf } from '../../../shared/ui/count-of.ts'

/** The number of programs with a stream, in words. */
export const describePrograms = (streams: number): string => countOf(streams, 'program')

/**
 * The time after which a key that polls use would have been seen again: uses are recorded once a minute by
 * each instance, and the clocks of browsers differ.
 */
const QUIET_MS = 240_000

/** The readiness of the old key to be revoked: no stream is open, and no request was seen for a while. */
export type RotationState = 'in_use' | 'just_used' | 'free'

/**
 * Returns whether programs still use the old key. One that polls has no stream: it is seen by its last use,
 * which the end of a stream is as well.
 */
export function assessRotation(
  { last_used_at, streams }: Pick<SdkKey, 'streams' | 'last_used_at'>,
  nowMs: number,
): RotationState {
  if (streams > 0) return 'in_use'
  return last_used_at !== null && nowMs - Date.parse(last_used_at) < QUIET_MS ? 'just_used' : 'free'
}
