import { changeShareInSteps } from '@burgee/analysis'
import type { Comparison } from './compare.ts'

/** The time of one flag, and of all of them. Beyond it the other flags have no share. */
const FLAG_MS = 100
const TIME_MAX_MS = 250

/**
 * Returns for each flag the exact share of all possible user keys that get another result, in percent;
 * without an entry where attributes decide. It yields between steps.
 */
export function* findShares(
  { after, before }: Comparison,
  keys: readonly string[],
): Generator<void, ReadonlyMap<string, number>> {
  const shares = new Map<string, number>()
  const end = Date.now() + TIME_MAX_MS
  for (const key of keys) {
    const time = Math.min(FLAG_MS, end - Date.now())
    if (time <= 0) break
    const share = yield* changeShareInSteps(before, after, key, { time })
    if (share !== null) shares.set(key, toPercent(share))
  }
  return shares
}

/** Shares are multiples of a thousandth of a percent; sums of them are not exact in binary. */
const toPercent = (share: number): number => Math.min(100, Math.round(share * 1e8) / 1e6)
