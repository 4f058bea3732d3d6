import type { CompiledCondition } from './compile-condition.ts'
import { jsonNumber } from './json-number.ts'

/** More elements than this in one attribute, nested arrays included, are an error rather than a stalled caller. */
export const MAX_ATTRIBUTE_ELEMENTS = 100_000

/**
 * Whether an attribute's value passes, for at least one of the rule's values (specification, "Rule matching"). Numbers
 * and booleans compare by their JSON text; an array passes when any of its elements does. What is none of these
 * (undefined, null, objects, numbers that JSON cannot write) counts as absent.
 *
 * @throws RangeError past `MAX_ATTRIBUTE_ELEMENTS`.
 */
export function passesCondition(condition: CompiledCondition, value: unknown): boolean {
  if (typeof value === 'string') return passesText(condition, value)
  if (Array.isArray(value)) return passesArray(condition, value)
  if (typeof value === 'number' && condition.numberTest !== null) return passesNumber(condition, value)
  const text = textOf(value)
  return text === null ? condition.whenAbsent : passesText(condition, text)
}

function passesText(condition: CompiledCondition, text: string): boolean {
  const { operator, set, textTest, values } = condition
  if (operator === 'equals') return set.has(text)
  if (textTest === null) return passesNumber(condition, jsonNumber(text))
  for (const value of values) if (textTest(text, value)) return true
  return false
}

function passesNumber({ numberTest, bounds }: CompiledCondition, number: number): boolean {
  if (numberTest === null || !Number.isFinite(number)) return false
  for (const bound of bounds) if (numberTest(number, bound)) return true
  return false
}

function passesArray(condition: CompiledCondition, array: unknown[]): boolean {
  const { operator, set, whenAbsent } = condition
  if (operator !== 'not_equals') return someElement(array, (element) => passesCondition(condition, element))
  // At least one of the values must be missing from the array.
  const found = new Set<string>()
  const hasAll = someElement(array, (element) => {
    const text = textOf(element)
    return text !== null && set.has(text) && found.add(text).size === set.size
  })
  return whenAbsent && !hasAll
}

/** Whether any element of the array, or of an array inside it, passes. */
function someElement(array: unknown[], test: (element: unknown) => boolean): boolean {
  // A set grows while it is walked, and holds an array once: nested arrays cost what they hold, and cycles end.
  const arrays = new Set([array])
  let left = MAX_ATTRIBUTE_ELEMENTS
  for (const elements of arrays) {
    for (let at = 0; at < elements.length; at++) {
      if (left-- === 0) throw new RangeError('attribute with too many elements')
      const element = elements[at]
      if (Array.isArray(element)) arrays.add(element)
      else if (test(element)) return true
    }
  }
  return false
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    ? String(value)
    : null
}
