import type { Fields } from './assert-valid.ts'
import { isLarge, isScalar, SHORT_MAX_LENGTH } from './list.ts'
import { derive, type Run } from './run.ts'

/** Returns whether a user passes. The key is read where a condition hashes it. */
export type Condition = (attributes: object, userKey: string | null, run?: Run) => boolean

/**
 * Compiles the test of an attribute. Numbers and booleans are compared by their JSON text; an array passes
 * when any of its elements does, and a long text is a list of one. Anything else (undefined, null, objects,
 * numbers that JSON cannot write) counts as absent.
 *
 * @param make Returns what the test needs of a list. Tests with the same function share it.
 * @param whenAbsent Whether a user without the attribute passes.
 */
export function testAttribute<Made>(
  attribute: string,
  passesOne: (value: unknown, run?: Run) => boolean,
  make: (value: unknown, run: Run) => Made,
  passesList: (made: Made) => boolean,
  whenAbsent = false,
): Condition {
  // Only own properties count. Checking for an own property costs more than reading it, so the check is made
  // only where it matters: where the value that was read passes and an absent one would not, or the reverse.
  return (attributes, _userKey, run) => {
    const value = (attributes as Fields)[attribute]
    // Most values are short texts.
    const isSmall = typeof value === 'string' ? value.length <= SHORT_MAX_LENGTH : isScalar(value)
    const passed = isSmall
      ? passesOne(value, run)
      : isLarge(value)
        ? passesList(derive(run, value, make))
        : whenAbsent
    return passed === whenAbsent || Object.hasOwn(attributes, attribute) ? passed : whenAbsent
  }
}
