import type { Flag } from '@burgee/contract'

/** Flags outside the given ones that name one of them as a prerequisite: without it they give their disabled value. */
export function flagsInNeed(flags: readonly Flag[], keys: readonly string[]): string[] {
  const going = new Set(keys)
  return flags
    .filter(
      ({ archived_at, key, prerequisites }) =>
        archived_at === null && !going.has(key) && prerequisites.some(({ flag_key }) => going.has(flag_key)),
    )
    .map(({ key }) => key)
}
