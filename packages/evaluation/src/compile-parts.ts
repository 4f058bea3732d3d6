import { SPECIFIED_TABLE } from './specified-operators.ts'

export type PartOperator = 'contains' | 'starts_with' | 'ends_with'

/** The steps of looking up a part of a text, beside those for the characters that it hashes. */
const LOOKUP_STEPS = 64
/** Looking up each part of a text is slower than searching for a value, unless the engine is at its worst. */
const SEARCH_ADVANTAGE = 6

/**
 * Compiles the test whether any of the values is a part of a text. Many values with few lengths are looked
 * up.
 *
 * @returns The test, and its steps: for each character with `contains`, otherwise for each element.
 */
export function compileParts(
  operator: PartOperator,
  texts: ReadonlySet<string>,
): readonly [hasPart: (text: string) => boolean, steps: number] {
  const { test } = SPECIFIED_TABLE[operator]
  const isAnywhere = operator === 'contains'
  const values = [...texts]
  const sizes = [...new Set(values.map(({ length }) => length))]
  const lookup = sizes.reduce((sum, size) => sum + LOOKUP_STEPS + size, 0)
  const search = values.reduce(
    (sum, { length }) => sum + (isAnywhere ? searchSteps(length) : 16 + (length >> 2)),
    0,
  )
  if (search <= lookup * (isAnywhere ? SEARCH_ADVANTAGE : 1))
    return [(text) => values.some((value) => test(text, value)), search]
  return [
    (text) =>
      sizes.some((size) => {
        const last = text.length - size
        const end = operator === 'starts_with' ? 0 : last
        for (let at = operator === 'ends_with' ? last : 0; at <= end; at++)
          if (texts.has(text.slice(at, at + size))) return true
        return false
      }),
    lookup,
  ]
}

/** The engine needs longer for a short value, and for a long one in proportion to its length. */
const searchSteps = (length: number): number => (length < 7 ? 6 : 2 + (length >> 8) * 64)
