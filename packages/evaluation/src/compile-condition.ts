import { assertValid, type Fields } from './assert-valid.ts'
import { compileParts } from './compile-parts.ts'
import { addCost, type Costs, countCharacters, countElements } from './cost.ts'
import { parseJsonNumber } from './json-number.ts'
import { isLarge, isScalar, joinedOf, overlap, SEPARATOR, setOf, textsOf } from './list.ts'
import { type OrderedKind, type OrderedTest, orderedKind } from './ordered-kind.ts'
import { createRun, derive, type Run } from './run.ts'
import { isSpecifiedOperator, SPECIFIED_TABLE } from './specified-operators.ts'

/** Returns whether a user passes. The key is read where a condition hashes it. */
export type Condition = (attributes: object, userKey: string | null, run?: Run) => boolean

/** The tests of an attribute: of a scalar, and of a list. */
export type AttributeTest = readonly [
  passesOne: (value: unknown, run: Run | undefined) => boolean,
  passesAny: (value: unknown, run: Run | undefined) => boolean,
]

/** A list that is looked up element by element. */
const SHORT_LIST_LENGTH = 16

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
  if (operator === 'equals' || operator === 'not_equals') {
    return operator === 'equals'
      ? testAttribute(attribute, [
          (value) => texts.has(String(value)),
          (value, run) => {
            const all = textsOf(value, run)
            const isShort = all.length <= SHORT_LIST_LENGTH
            return isShort ? all.some((text) => texts.has(text)) : overlap(texts, derive(run, value, setOf))
          },
        ])
      : // At least one of the values must be missing.
        testAttribute(
          attribute,
          [
            (value) => texts.size > Number(texts.has(String(value))),
            (value, run) => [...texts].some((text) => !derive(run, value, setOf).has(text)),
          ],
          texts.size > 0,
        )
  }
  if (operator === 'contains' || operator === 'starts_with' || operator === 'ends_with') {
    const isAnywhere = operator === 'contains'
    const [hasPart, steps] = compileParts(operator, texts)
    addCost(costs, attribute, isAnywhere ? countCharacters : countElements, steps)
    // Texts that are joined are searched much faster than one by one.
    const isJoined = isAnywhere && ![...texts].some((text) => text.includes(SEPARATOR))
    return testAttribute(attribute, [
      (value) => hasPart(String(value)),
      (value, run) => {
        const all = derive(run, value, textsOf)
        return isJoined && all.length > 0 ? hasPart(derive(run, value, joinedOf)) : all.some(hasPart)
      },
    ])
  }
  return testAttribute(attribute, compileOrdered(texts, NUMBERS, SPECIFIED_TABLE[operator]))
}

/** Compiles a comparison in an order, in which the smallest or the largest value decides. */
export function compileOrdered(
  texts: ReadonlySet<string>,
  { boundsOf, parse }: OrderedKind,
  { test }: OrderedTest,
): AttributeTest {
  const bounds = boundsOf([...texts], createRun())
  const holds = (subject: ReturnType<typeof parse>) => bounds.some((value) => test(subject, value))
  const passesAny = (value: unknown, run: Run | undefined) => derive(run, value, boundsOf).some(holds)
  // A long text is parsed once for all tests.
  return [(value, run) => (isLarge(value) ? passesAny(value, run) : holds(parse(value))), passesAny]
}

/**
 * The condition of a test of an attribute. Numbers and booleans are compared by their JSON text; an array
 * passes when any of its elements does. Anything else (undefined, null, objects, numbers that JSON cannot
 * write) counts as absent.
 *
 * @param whenAbsent Whether a user without the attribute passes.
 */
export function testAttribute(
  attribute: string,
  [passesOne, passesAny]: AttributeTest,
  whenAbsent = false,
): Condition {
  function passes(value: unknown, run: Run | undefined): boolean {
    return Array.isArray(value) ? passesAny(value, run) : isScalar(value) ? passesOne(value, run) : whenAbsent
  }

  // Only own properties count. Checking for an own property costs more than reading it, so the check is made
  // only where it matters: where the value that was read passes and an absent one would not, or the reverse.
  return (attributes, _userKey, run) => {
    const value = (attributes as Fields)[attribute]
    const passed = typeof value === 'string' ? passesOne(value, run) : passes(value, run)
    return passed === whenAbsent || Object.hasOwn(attributes, attribute) ? passed : whenAbsent
  }
}

/** The entries of `values`, each once. */
export function readValues(values: unknown): Set<string> {
  assertValid(Array.isArray(values) && values.every((value) => typeof value === 'string'))
  return new Set(values)
}
