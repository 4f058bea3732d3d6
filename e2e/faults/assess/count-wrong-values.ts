import type { StoredWrites } from '../../harness/read-stored-writes.ts'
import type { Observed } from '../../harness/start-sdk-client.ts'

/**
 * Counts values of SDKs that were never applied (such as a fallback), or that are older than an earlier one.
 */
export function countWrongValues(observers: readonly Observed[], { changes, flags }: StoredWrites): number {
  let wrong = 0
  for (const { seen } of observers) {
    for (const [key, values] of Object.entries(seen)) {
      const applied = new Set(changes.filter(({ flag_key }) => flag_key === key).map(({ value }) => value))
      wrong += values.filter((value) => !applied.has(value)).length
      wrong += values.filter((value, index) => index > 0 && value <= (values[index - 1] ?? 0)).length
      if (values.at(-1) !== flags.get(key)) wrong += 1
    }
  }
  return wrong
}
