import type { Violation } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { nameValue } from '../../shared/charts/name-value.ts'

const ATTRIBUTES_SHOWN = 3

/** Describes a violation by its user: "A user with plan = “free” gets “true” of sso, by rule 2." */
export function describeViolation({ counter_example, enforcement, why }: Violation): string {
  const what = counter_example ? describeUser(counter_example) : `${why}.`
  return enforcement === 'block' ? `${what} The server refuses this.` : what
}

function describeUser({
  attributes,
  flag_key,
  rule_index,
  user_key,
  value,
}: NonNullable<Violation['counter_example']>): string {
  const named = Object.entries(attributes)
    .slice(0, ATTRIBUTES_SHOWN)
    .map(([name, given]) => `${name} = ${show(given as JsonValue)}`)
  const who = user_key === null ? 'An anonymous user' : `A user such as ${nameValue(user_key)}`
  const withAttributes = named.length > 0 ? ` with ${named.join(', ')}` : ''
  const by = rule_index === undefined ? '' : `, by rule ${rule_index + 1}`
  return `${who}${withAttributes} gets ${show(value as JsonValue)} of ${flag_key}${by}.`
}

const show = (value: JsonValue): string =>
  nameValue(typeof value === 'string' ? value : JSON.stringify(value))
