import type { AckInput } from '@burgee/contract'
import type { Measured } from '../ingest/grouped-writes.ts'

/** Holds the unknown flags of one acknowledgment. */
export interface UnknownFlagBatch extends Measured {
  readonly unknown: NonNullable<AckInput['unknown']>
  /** True when a key for browsers has sent it. */
  readonly isFromClient: boolean
  /** The id of the SDK client that has sent it; null for others. */
  readonly client_id: string | null
}

/** Counts the evaluations of one unknown flag in a group of acknowledgments. */
export interface UnknownFlagCount {
  readonly count: number
  /** True when only keys for browsers have reported it in this group. */
  readonly isFromClient: boolean
  /** The id of the last SDK client that has reported it in this group; null without one. */
  readonly client_id: string | null
}

/** The memory of an entry beside its text. */
const ENTRY_BYTES = 100
const BYTES_OF_CHARACTER = 2

/** Builds the batch of an acknowledgment. */
export function toUnknownFlagBatch(
  unknown: UnknownFlagBatch['unknown'],
  isFromClient: boolean,
  client_id: string | null = null,
): UnknownFlagBatch {
  const bytes = unknown.reduce((sum, [key]) => sum + ENTRY_BYTES + BYTES_OF_CHARACTER * key.length, 0)
  return { unknown, isFromClient, client_id, rows: unknown.length, bytes }
}

/** Adds up the evaluations of each key. */
export function addUpUnknownFlags(
  batches: readonly UnknownFlagBatch[],
): ReadonlyMap<string, UnknownFlagCount> {
  const counts = new Map<string, UnknownFlagCount>()
  for (const { client_id, isFromClient, unknown } of batches) {
    for (const [key, count] of unknown) {
      const sum = counts.get(key)
      counts.set(key, {
        count: (sum?.count ?? 0) + count,
        isFromClient: isFromClient && (sum?.isFromClient ?? true),
        client_id: client_id ?? sum?.client_id ?? null,
      })
    }
  }
  return counts
}
