import type { JsonValue } from '@burgee/evaluation'
import { quote } from './quote.ts'
import { toSchemaType } from './schema-type.ts'
import type { TypedFlag } from './typed-flag.ts'

/** The values that a union has; with more of them, and with longer ones, the type is the general one. */
const UNION_MAX = 50
const LITERAL_MAX_LENGTH = 200
const VALUES_READ_MAX = 10_000

/** Returns the TypeScript type of the values of a flag: a union where all of them are known. */
export function toValueType(flag: TypedFlag): string {
  switch (flag.flag_type) {
    case 'boolean':
      return 'boolean'
    case 'string':
      return unionOf(flag, 'string') ?? 'string'
    case 'integer':
      return unionOf(flag, 'number') ?? 'number'
    case 'json':
      if (flag.value_schema !== undefined) return toSchemaType(flag.value_schema)
      return hasNumbersOnly(flag) ? 'number' : 'Json'
  }
}

function unionOf(flag: TypedFlag, type: 'string' | 'number'): string | null {
  const literals = new Set<string>()
  let read = 0
  for (const value of listValues(flag)) {
    read += 1
    if (read > VALUES_READ_MAX) return null
    if (value === null) continue
    const literal = typeof value === type ? toLiteral(value) : null
    if (literal === null || literals.add(literal).size > UNION_MAX) return null
  }
  return literals.size === 0 ? null : [...literals].sort().join(' | ')
}

/** Returns whether each known value is a number, and there is one. */
export function hasNumbersOnly(flag: TypedFlag): boolean {
  let read = 0
  let isSome = false
  for (const value of listValues(flag)) {
    read += 1
    if (value === null) continue
    if (read > VALUES_READ_MAX || typeof value !== 'number') return false
    isSome = true
  }
  return isSome
}

/** Lists the values that an evaluation of the flag can return, and those that it has names for. */
function* listValues(flag: TypedFlag): Generator<JsonValue> {
  yield flag.default_value
  yield flag.disabled_value
  for (const { value } of flag.variants) yield value
  for (const rule of flag.rules) {
    if (rule.variant !== undefined) yield rule.variant
    for (const { value } of rule.variants ?? []) yield value
  }
  yield* Object.values(flag.variant_names ?? {})
}

/** Returns a value as a type; null where it has none of a reasonable length. */
function toLiteral(value: JsonValue): string | null {
  if (typeof value === 'string') return value.length > LITERAL_MAX_LENGTH ? null : quote(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value)
  return value === null || typeof value === 'boolean' ? String(value) : null
}
