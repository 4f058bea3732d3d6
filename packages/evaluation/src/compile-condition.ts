import { assertValid, type Fields } from './assert-valid.ts'
import { compileParts } from './compile-parts.ts'
import type { Costs } from './cost.ts'
import { parseJsonNumber } from './json-number.ts'
import { overlap, setOf } from './list.ts'
import { compileOrdered, orderedKind } from './ordered-kind.ts'
import { isSpecifiedOperator, SPECIFIED_TABLE } from './specified-operators.ts'
import { type Condition, testAttribute } from './test-attribute.ts'

const NUMBERS = /* @__PURE__ */ orderedKind(parseJsonNumber)

/**
 * Compiles a condition with an operator that every client knows: it must hold for at least one of the values
 * (docs/reference/evaluation.md#rule-matching).
 *
 * @param costs The costs of the flag, to which those of the condition are added.
 * @returns A function that throws a RangeError past `MAX_ATTRIBUTE_ELEMENTS`.
 * @throws TypeError when the condition is not valid.
 */
export function compileCondition(
  { attribute, operator, values }: Fields,
  costs: Costs = new Map(),
): Condition {
  assertValid(isSpecifiedOperator(operator) && typeof attribute === 'string')
  const texts = readValues(values)
  switch (operator) {
    case 'equals':
      return testAttribute(
        attribute,
        (value) => texts.has(String(value)),
        setOf,
        (all) => overlap(texts, all),
      )
    case 'not_equals':
      return testAttribute(
        attribute,
        (value) => texts.size > Number(texts.has(String(value))),
        // Without values no list is read.
        texts.size > 0 ? setOf : () => texts,
        // At least one of the values must be missing.
        (all) => [...texts].some((text) => !all.has(text)),
        texts.size > 0,
      )
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      return compileParts(attribute, operator, texts, costs)
    default:
      return compileOrdered(attribute, texts, NUMBERS, SPECIFIED_TABLE[operator].test)
  }
}

/** The entries of `values`, each once. */
export function readValues(values: unknown): Set<string> {
  assertValid(Array.isArray(values) && values.every((value) => typeof value === 'string'))
  return new Set(values)
}
