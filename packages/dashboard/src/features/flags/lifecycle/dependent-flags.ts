import type { Flag } from '@burgee/contract'

/** The flags, archived ones left out, that have the given one as a prerequisite. */
export const dependentFlags = (flags: readonly Flag[], key: string): Flag[] =>
  flags.filter(
    ({ archived_at, prerequisites }) =>
      archived_at === null && prerequisites.some(({ flag_key }) => flag_key === key),
  )
