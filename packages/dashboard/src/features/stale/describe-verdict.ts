import type { StaleFlag } from '@burgee/contract'
import { countOf } from '../../shared/ui/count-of.ts'

const VALUE_MAX_LENGTH = 60

/** Describes what becomes of a flag. */
export function describeVerdict({ dependants, keep_value, verdict }: StaleFlag): string {
  if (verdict === 'keep') return 'There is no reason to remove it.'
  const needed =
    dependants.length === 0 ? '' : ` ${countOf(dependants.length, 'thing needs', 'things need')} it.`
  if (keep_value !== undefined) return `Replace it in code with ${describeValue(keep_value)}.${needed}`
  return verdict === 'remove'
    ? 'No program evaluates it: it can be archived.'
    : `A person has to decide.${needed}`
}

/** Describes what needs a flag: `Change request 4 needs it`. A scheduled change has no name. */
export function describeDependant({ key, kind }: StaleFlag['dependants'][number]): string {
  switch (kind) {
    case 'scheduled_change':
      return 'A scheduled change needs it'
    case 'change_request':
      return `Change request ${key} needs it`
    default:
      return `The ${kind} ${key} needs it`
  }
}

const describeValue = (value: unknown): string => {
  if (value === null) return 'the default in the code'
  const text = JSON.stringify(value)
  return text.length > VALUE_MAX_LENGTH ? `${text.slice(0, VALUE_MAX_LENGTH)}…` : text
}
