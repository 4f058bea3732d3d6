import { addCost, type Costs, countCharacters, countElements } from './cost.ts'
import { joinedOf, SEPARATOR, textsOf } from './list.ts'
import { SPECIFIED_TABLE } from './specified-operators.ts'
import { type Condition, testAttribute } from './test-attribute.ts'

/** The steps of looking up a part of a text, beside those for the characters that it hashes. */
const LOOKUP_STEPS = 64
/** Looking up each part of a text is slower than searching for a value, unless the engine is at its worst. */
const SEARCH_ADVANTAGE = 6

/**
 * Compiles the test whether any of the values is a part of a text, and adds its steps: for each character
 * with `contains`, otherwise for each element. Many values with few lengths are looked up.
 */
export function compileParts(
  attribute: string,
  operator: 'contains' | 'starts_with' | 'ends_with',
  texts: ReadonlySet<string>,
  costs: Costs,
): Condition {
  const { test } = SPECIFIED_TABLE[operator]
  const isAnywhere = operator === 'contains'
  const values = [...texts]
  const sizes = new Set<number>()
  let lookup = 0
  let search = 0
  for (const { length } of texts) {
    search += isAnywhere ? searchSteps(length) : 16 + (length >> 2)
    if (sizes.size < sizes.add(length).size) lookup += LOOKUP_STEPS + length
  }
  const isSearched = search <= lookup * (isAnywhere ? SEARCH_ADVANTAGE : 1)

  const passes = (value: unknown) => {
    const text = String(value)
    if (isSearched) return values.some((each) => test(text, each))
    for (const size of sizes) {
      let at = operator === 'ends_with' ? text.length - size : 0
      do if (texts.has(text.slice(at, at + size))) return true
      while (isAnywhere && at++ < text.length - size)
    }
    return false
  }

  addCost(costs, attribute, isAnywhere ? countCharacters : countElements, isSearched ? search : lookup)
  const isJoined = isAnywhere && !values.some((value) => value.includes(SEPARATOR))
  return testAttribute(attribute, passes, isJoined ? joinedOf : textsOf, (all) => all.some(passes))
}

/** The engine needs longer for a short value, and for a long one in proportion to its length. */
const searchSteps = (length: number): number => (length < 7 ? 6 : 2 + (length >> 8) * 64)
