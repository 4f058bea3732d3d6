import type { Fields } from './assert-valid.ts'
import { isLarge, SHORT_MAX_LENGTH, textsOf } from './list.ts'
import { derive, MAX_STEPS, type Run } from './run.ts'

/** A measure of the value of an attribute, which a test takes steps in proportion to. */
export type Measure = (value: unknown, run: Run) => number

/**
 * The steps of the tests of a flag, by attribute and by measure. Tests that take no longer than reading the
 * attribute have none: their number does not matter.
 */
export type Costs = Map<string, Map<Measure, number>>

/** The steps of reading an element. */
const READ_STEPS = 128

export const countElements: Measure = (value, run) => textsOf(value, run).length
/** Counts the characters of all elements, and one more for each. */
export const countCharacters: Measure = (value, run) =>
  textsOf(value, run).reduce((sum, { length }) => sum + length + 1, 0)

/** Adds the steps of a test. Returns those of all tests of the attribute. */
export function addCost(
  costs: Costs,
  attribute: string,
  measure: Measure,
  steps: number,
): Map<Measure, number> {
  const own = costs.get(attribute) ?? new Map([[countElements, READ_STEPS]])
  costs.set(attribute, own)
  return own.set(measure, steps + (own.get(measure) ?? 0))
}

/**
 * Compiles the steps of a flag: of all large attributes that its rules test with a cost, whichever rule
 * decides, and of a large user key.
 *
 * @param keySteps The steps for each character of the user key.
 * @returns A function that throws a RangeError beyond `MAX_STEPS`.
 */
export function compileCosts(
  costs: Costs,
  keySteps: number,
): (attributes: object, userKey: string | null, run: Run) => void {
  const names = [...costs.keys()]
  const steps = [...costs.values()]

  function spend(run: Run, more: number): void {
    run.steps += more
    if (run.steps > MAX_STEPS) throw new RangeError()
  }

  // This runs for every user, so it looks at each of the attributes and no further at a small one. (A loop by
  // index is faster here than an iterator.)
  return (attributes, userKey, run) => {
    if (userKey !== null && userKey.length > SHORT_MAX_LENGTH) spend(run, keySteps * userKey.length)
    for (let index = 0; index < names.length; index++) {
      const value = (attributes as Fields)[names[index] as string]
      if (!isLarge(value)) continue
      for (const [measure, each] of steps[index] ?? []) spend(run, each * derive(run, value, measure))
    }
  }
}
