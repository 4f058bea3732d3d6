import { derive, MAX_STEPS, type Run } from './run.ts'

/**
 * More elements than this in one attribute, nested arrays included, are an error rather than a stalled
 * caller.
 */
export const MAX_ATTRIBUTE_ELEMENTS = 100_000
/** A longer text is read like a list with one element. */
export const SHORT_MAX_LENGTH = 64
/** Separates the texts of a list that are searched at once. */
export const SEPARATOR = '\0'

/** Returns whether an attribute with this value is present. */
export const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

/** Returns whether a value is large: its length costs steps, and tests share what they derive from it. */
export const isLarge = (value: unknown): boolean =>
  typeof value === 'string' ? value.length > SHORT_MAX_LENGTH : Array.isArray(value)

/**
 * Returns the texts of the elements that can be compared, those of nested arrays after those around them.
 *
 * @throws RangeError past `MAX_ATTRIBUTE_ELEMENTS`.
 */
function readTexts(value: unknown, run: Run): readonly string[] {
  // A set grows while it is iterated, and holds an array once: nested arrays cost what they hold, and cycles
  // end.
  const arrays = new Set([[value]])
  const texts: string[] = []
  let count = 0
  for (const array of arrays) {
    for (const element of array) {
      if (count++ > MAX_ATTRIBUTE_ELEMENTS) {
        run.steps = MAX_STEPS + 1
        throw new RangeError()
      }
      if (Array.isArray(element)) arrays.add(element)
      else if (isScalar(element)) texts.push(String(element))
    }
  }
  return texts
}

export const textsOf = (value: unknown, run: Run) => derive(run, value, readTexts)
/** Returns the different texts. */
export const setOf = (value: unknown, run: Run): ReadonlySet<string> => new Set(textsOf(value, run))
/** Returns the texts as one, in which a part is found much faster. */
export function joinedOf(value: unknown, run: Run): readonly string[] {
  const texts = textsOf(value, run)
  return texts.length > 0 ? [texts.join(SEPARATOR)] : []
}

/** Returns whether a value is in both sets. */
export const overlap = (one: ReadonlySet<unknown>, other: ReadonlySet<unknown>): boolean =>
  one.size > other.size ? overlap(other, one) : [...one].some((value) => other.has(value))
