import type { Reason } from '@burgee/evaluation'

const REASONS: Readonly<Record<Reason, string>> = {
  TARGETING_MATCH: 'A rule matched.',
  SPLIT: 'The hash of the user key decided.',
  STATIC: 'Every user got this value.',
  DEFAULT: 'No rule matched, or the rollout was 0%.',
  DISABLED: 'The flag was switched off.',
  PREREQUISITE_FAILED: 'A prerequisite was not met.',
  FLAG_NOT_FOUND: 'SDKs did not have this flag.',
  ERROR: 'The flag could not be evaluated: the default in the code counted.',
}

interface Decided {
  readonly reason: Reason
  readonly prerequisite_key?: string | undefined
  /** The cause of an error. */
  readonly message?: string | undefined
}

/** The reason of a past evaluation in one short sentence. */
export function describeReason({ message, prerequisite_key, reason }: Decided): string {
  if (reason === 'PREREQUISITE_FAILED' && prerequisite_key !== undefined)
    return `The prerequisite ${prerequisite_key} was not met.`
  if (reason === 'ERROR' && message !== undefined) return `The flag ${message}.`
  return REASONS[reason]
}
