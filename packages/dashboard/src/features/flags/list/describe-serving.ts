import { cutLine, type Flag, nameOfValue, ROLLOUT_PERCENTAGE_MAX } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { shareOf } from '../../../parts/weights/share-input.tsx'
import { countOf } from '../../../shared/ui/count-of.ts'

const VALUE_MAX = 24

/** The values that a flag gives and to whom, in the few words that fit a row: "2 rules, then on for 25%". */
export function describeServing(flag: Flag): string {
  if (flag.archived_at !== null) return 'Not sent to programs'
  if (!flag.is_enabled) return describeOff(flag)
  const rest = describeRest(flag)
  const parts = [flag.rules.length > 0 ? `${countOf(flag.rules.length, 'rule')}, then ${rest}` : rest]
  const [first, ...others] = flag.prerequisites
  if (first) parts.push(others.length > 0 ? `needs ${others.length + 1} flags` : `needs ${first.flag_key}`)
  return capitalize(flag, parts.join('; '))
}

/** A name that a person gave to a value stays as it is. */
function capitalize({ variant_names = {} }: Flag, text: string): string {
  const isName = Object.keys(variant_names).some((name) => text.startsWith(cutLine(name, VALUE_MAX)))
  return isName ? text : text.charAt(0).toUpperCase() + text.slice(1)
}

function describeOff(flag: Flag): string {
  const { disabled_value, flag_type } = flag
  const isPlain = disabled_value === null || disabled_value === false
  return flag_type === 'boolean' && isPlain ? 'Off' : `Off: ${formatValue(flag, disabled_value)} for everyone`
}

/** Those whom no rule matches. */
function describeRest(flag: Flag): string {
  const percentage = shareOf(flag) ?? ROLLOUT_PERCENTAGE_MAX
  if (percentage === 0) {
    const what = flag.flag_type === 'boolean' ? 'off' : formatValue(flag, flag.disabled_value)
    return flag.rules.length > 0 ? what : `${what} for everyone (0%)`
  }
  const what = describeGiven(flag)
  if (percentage < ROLLOUT_PERCENTAGE_MAX) return `${what} for ${percentage}%`
  return flag.rules.length > 0 ? what : `${what} for everyone`
}

/** The value for those inside the rollout. */
function describeGiven(flag: Flag): string {
  const { flag_type, variants, default_value } = flag
  const given = variants.filter(({ weight }) => weight > 0)
  const [only, ...others] = given
  if (only) return others.length > 0 ? countOf(given.length, 'variant') : formatValue(flag, only.value)
  if (flag_type === 'boolean') return default_value === false ? 'false' : 'on'
  return formatValue(flag, default_value)
}

function formatValue({ flag_type, variant_names }: Flag, value: JsonValue): string {
  const name = flag_type === 'boolean' ? null : nameOfValue(variant_names, value)
  if (name !== null) return cutLine(name, VALUE_MAX)
  if (value === null) return 'no value'
  return cutLine(typeof value === 'string' ? `“${value}”` : JSON.stringify(value), VALUE_MAX)
}
