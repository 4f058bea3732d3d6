import type { JsonValue } from '@burgee/evaluation'
import type { WireFlag } from '../../kernel/wire-flag.ts'

/**
 * Returns what the values of a flag are: numbers of which one has a fraction, whole numbers alone, or not
 * numbers of a json flag.
 */
export function numberKind({
  default_value,
  disabled_value,
  flag_type,
  rules,
  variants,
}: WireFlag): 'fractions' | 'whole' | 'other' {
  if (flag_type !== 'json') return 'other'
  const ruled = rules.flatMap((rule) => [
    rule.variant ?? null,
    ...(rule.variants ?? []).map(({ value }) => value),
  ])
  const values = [default_value, disabled_value, ...variants.map(({ value }) => value), ...ruled]
  const given = values.filter((value: JsonValue) => value !== null)
  if (given.length === 0 || !given.every((value) => typeof value === 'number')) return 'other'
  return given.some((value) => !Number.isInteger(value)) ? 'fractions' : 'whole'
}

/** Returns whether a schema allows numbers with a fraction; `listNumberFlags` has the same rule in SQL. */
export const isNumberSchema = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && 'type' in schema && [schema.type].flat().includes('number')
