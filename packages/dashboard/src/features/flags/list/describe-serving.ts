import { cutLine, type Flag, ROLLOUT_PERCENTAGE_MAX } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { shareOf } from '../../../parts/weights/share-input.tsx'

const VALUE_MAX = 24

/** The values that a flag gives and to whom, in the few words that fit a row: "2 rules, then on for 25 %". */
export function describeServing(flag: Flag): string {
  if (flag.archived_at !== null) return 'Not sent to programs'
  if (!flag.is_enabled) return describeOff(flag)
  const rest = describeRest(flag)
  const parts = [flag.rules.length > 0 ? `${count(flag.rules.length, 'rule')}, then ${rest}` : rest]
  const [first, ...others] = flag.prerequisites
  if (first) parts.push(others.length > 0 ? `needs ${others.length + 1} flags` : `needs ${first.flag_key}`)
  const text = parts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function describeOff({ disabled_value, flag_type }: Flag): string {
  const isPlain = disabled_value === null || disabled_value === false
  return flag_type === 'boolean' && isPlain ? 'Off' : `Off: ${formatValue(disabled_value)} for everyone`
}

/** Those whom no rule matches. */
function describeRest(flag: Flag): string {
  const percentage = shareOf(flag) ?? ROLLOUT_PERCENTAGE_MAX
  if (percentage === 0) {
    const what = flag.flag_type === 'boolean' ? 'off' : formatValue(flag.disabled_value)
    return flag.rules.length > 0 ? what : `${what} for everyone (0 %)`
  }
  const what = describeGiven(flag)
  if (percentage < ROLLOUT_PERCENTAGE_MAX) return `${what} for ${percentage} %`
  return flag.rules.length > 0 ? what : `${what} for everyone`
}

/** The value for those inside the rollout. */
function describeGiven({ flag_type, variants, default_value }: Flag): string {
  const given = variants.filter(({ weight }) => weight > 0)
  const [only, ...others] = given
  if (only) return others.length > 0 ? count(given.length, 'variant') : formatValue(only.value)
  if (flag_type === 'boolean') return default_value === false ? 'false' : 'on'
  return formatValue(default_value)
}

function formatValue(value: JsonValue): string {
  if (value === null) return 'no value'
  return cutLine(typeof value === 'string' ? `“${value}”` : JSON.stringify(value), VALUE_MAX)
}

const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`
