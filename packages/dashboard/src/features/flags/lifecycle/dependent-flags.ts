import type { Flag } from '@burgee/contract'

/** The other flags, archived ones left out, that have one of the given flags as a prerequisite. */
export function dependentFlags(flags: readonly Flag[], keys: readonly string[]): Flag[] {
  const given = new Set(keys)
  return flags.filter(
    ({ archived_at, key, prerequisites }) =>
      archived_at === null && !given.has(key) && prerequisites.some(({ flag_key }) => given.has(flag_key)),
  )
}
