import type { CleanupPlan, StaleFlag } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

const KINDS: Readonly<Record<StaleFlag['dependants'][number]['kind'], string>> = {
  flag: 'the flag',
  experiment: 'the experiment',
  scheduled_change: 'the scheduled change',
  change_request: 'the change request',
  invariant: 'the invariant',
}
const QUOTED_MAX_LENGTH = 200
const NAMED_MAX = 20

/** Returns the plan for removing a flag, with every text of people in quotes. */
export function planCleanup(assessed: StaleFlag, references: CleanupPlan['references']): CleanupPlan {
  const { dependants, flag_key, keep_value } = assessed
  const value = keep_value === undefined ? 'the value that you choose' : valueText(keep_value)
  const places = references.length
  const steps = [
    ...(assessed.verdict === 'remove'
      ? []
      : ['Decide whether the flag may go: the evidence does not prove it.']),
    ...dependants
      .slice(0, NAMED_MAX)
      .map(({ key, kind }) => `Change ${KINDS[kind]} ${quoted(key)}, which needs the flag.`),
    places > 0
      ? `Replace the flag ${quoted(flag_key)} by ${value} in code: ${places} known ${places === 1 ? 'place' : 'places'}.`
      : `Replace the flag ${quoted(flag_key)} by ${value} in code. No places are known: burgee usages --upload sends them.`,
    'Deploy the code.',
    'Wait 7 days without evaluations and without reports of an unknown flag.',
    `Archive the flag: burgee flags archive ${flag_key}`,
    'Delete it 30 days later.',
  ]
  return { ...assessed, references: [...references], steps }
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, QUOTED_MAX_LENGTH).toWellFormed())

const valueText = (value: JsonValue): string =>
  value === null ? 'the default in the code' : JSON.stringify(value).slice(0, QUOTED_MAX_LENGTH)
