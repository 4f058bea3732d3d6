import type { FlagComparison } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { nameValue } from '../../shared/charts/name-value.ts'

const ATTRIBUTES_SHOWN = 3

type Behaviour = Pick<FlagComparison['flags'][number], 'behaviour' | 'example' | 'why'>

interface Names {
  readonly source: string
  readonly target: string
}

/** Describes whether a flag gives every user the same in two environments; null where that is not known. */
export function describeBehaviour({ behaviour, example, why }: Behaviour, names: Names): string | null {
  if (behaviour === 'same') return 'Every possible user gets the same in both: only the text differs.'
  if (behaviour === 'undecided') return `Whether users get the same could not be decided: ${why}.`
  if (behaviour !== 'different') return null
  if (!example) return 'Some users get another result.'
  const { attributes, source, target, user_key } = example
  const named = Object.entries(Object(attributes))
    .slice(0, ATTRIBUTES_SHOWN)
    .map(([name, value]) => `${name} = ${show(value as JsonValue)}`)
  const who = user_key === null ? 'An anonymous user' : `A user such as ${nameValue(user_key)}`
  const withAttributes = named.length > 0 ? ` with ${named.join(', ')}` : ''
  const gets = `gets ${describeResult(source)} in ${names.source} and ${describeResult(target)} in ${names.target}`
  return `${who}${withAttributes} ${gets}.`
}

const describeResult = ({
  enabled,
  value,
}: {
  readonly enabled: boolean
  readonly value: JsonValue
}): string => `${show(value)}${enabled ? '' : ' (off)'}`

const show = (value: JsonValue): string =>
  nameValue(typeof value === 'string' ? value : JSON.stringify(value))
