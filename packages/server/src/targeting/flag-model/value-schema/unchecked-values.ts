import { deepEqual, type JsonValue } from '@burgee/evaluation'
import type { FlagContent } from '../flag.ts'

/** A value of a flag, and its place as a JSON pointer. */
export interface PlacedValue {
  readonly path: string
  readonly value: JsonValue
}

/**
 * Returns the values of a flag that are checked by its schema: those that the stored flag with the same
 * schema has nowhere. Null always fits.
 */
export function findUncheckedValues(flag: FlagContent, before: FlagContent | null): readonly PlacedValue[] {
  const values = [...valuesOf(flag)].filter(({ value }) => value !== null)
  if (before === null) return values
  const stored = new Map([...valuesOf(before)].map(({ path, value }) => [path, value]))
  const changed = values.filter(({ path, value }) => !isSame(stored.get(path), value))
  if (changed.length === 0) return []
  // Values move where a rule is inserted, removed or moved.
  const texts = new Set([...stored.values()].map((value) => JSON.stringify(value)))
  return changed.filter(({ value }) => !texts.has(JSON.stringify(value)))
}

const isSame = (stored: JsonValue | undefined, value: JsonValue): boolean =>
  stored === value || (stored !== undefined && deepEqual(stored, value))

function* valuesOf(flag: FlagContent): Generator<PlacedValue> {
  yield { path: '/default_value', value: flag.default_value }
  yield { path: '/disabled_value', value: flag.disabled_value }
  for (const [index, { value }] of flag.variants.entries()) yield { path: `/variants/${index}/value`, value }
  for (const [index, { variant = null, variants = [] }] of flag.rules.entries()) {
    yield { path: `/rules/${index}/variant`, value: variant }
    for (const [at, { value }] of variants.entries())
      yield { path: `/rules/${index}/variants/${at}/value`, value }
  }
}
