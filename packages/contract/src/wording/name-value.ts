import { deepEqual, type JsonValue } from '@burgee/evaluation'
import type { Flag } from '../schemas/flag.ts'
import { cutLine, formatJson } from './format-text.ts'

const NAME_MAX = 40

/** Returns the name that a flag gives to a value, the first one in code unit order; null without any. */
export function nameOfValue(names: Flag['variant_names'], value: JsonValue): string | null {
  const found = Object.keys(names ?? {}).filter((name) => deepEqual(names?.[name] ?? null, value))
  return found.sort()[0] ?? null
}

/** Formats a value of a flag as short text: `green ("#0a0")`, or the JSON alone where it has no name. */
export type FormatValue = (value: JsonValue) => string

/** Returns the format for a change of a flag. A name of the new flag wins over one of the old. */
export function namedValues(before: Flag, after: Flag): FormatValue {
  if (before.variant_names === undefined && after.variant_names === undefined) return formatJson
  return (value) => {
    const name = nameOfValue(after.variant_names, value) ?? nameOfValue(before.variant_names, value)
    return name === null ? formatJson(value) : `${cutLine(name, NAME_MAX)} (${formatJson(value)})`
  }
}
