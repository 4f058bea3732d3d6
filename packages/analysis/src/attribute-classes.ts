import { type Condition, type Operator, parseJsonNumber, parseTime } from '@burgee/evaluation'
import { compileAnyCondition } from '../../evaluation/src/compile-any-condition.ts'
import { OPERATOR_TABLE } from '../../evaluation/src/operators.ts'
import type { Spend } from './limits.ts'
import { numberWitnesses, versionWitnesses } from './ordered-witnesses.ts'
import type { Steps } from './steps.ts'
import { isTextTest, textWitnesses } from './text-witnesses.ts'

/** Texts that pass the same tests. */
interface TextClass {
  /** One bit for each test with a single value. */
  readonly bits: bigint
  readonly witness: string
  /** True for an element of an array behind those that patterns search. */
  readonly isLate?: boolean
}

/** The division of the values of an attribute by its tests. */
export interface AttributeClasses {
  readonly classes: readonly TextClass[]
  /** True where every text belongs to one of the classes. */
  readonly isComplete: boolean
  /** The bits of the texts that pass an operator with any of the values. */
  maskOf(operator: Operator, values: readonly string[]): bigint
  bitsOf(text: string): bigint
  /** As many different texts as patterns search in an array, none of which passes a test of the mask. */
  fillersOf(negative: bigint): readonly string[]
}

const CLASSES_MAX = 4096
/** The tests that are compiled between two steps. */
const ATOMS_AT_ONCE = 200
const FRESH = 'none'
/** The different elements of an array that patterns search. */
const SEARCHED_ELEMENTS = 100
const FILLER_CLASSES_MAX = 20

/** A test with one value. */
interface Atom {
  readonly operator: Operator
  readonly value: string
}

const keyOf = (operator: Operator, value: string) => `${operator} ${value}`

/** The operator without its negation. `not_equals` is read as what it forbids. */
export const positiveOf = (operator: Operator): Operator =>
  operator === 'not_equals' ? 'equals' : (OPERATOR_TABLE[operator].negates ?? operator)

/**
 * Divides the values of an attribute by the conditions on it.
 *
 * @param only The only value that it can have.
 */
export function* divide(
  conditions: readonly Condition[],
  spendTime: Spend,
  only?: string,
): Steps<AttributeClasses> {
  const atoms = new Map<string, Atom>()
  for (const { operator, values } of conditions) {
    const positive = positiveOf(operator)
    if (positive === 'is_set') continue
    for (const value of values) atoms.set(keyOf(positive, value), { operator: positive, value })
  }
  const all = [...atoms.values()]
  const tests: { readonly bit: bigint; readonly holds: ReturnType<typeof compileAnyCondition> }[] = []
  const masks = new Map<string, bigint>()
  for (const [key, { operator, value }] of atoms) {
    if (tests.length % ATOMS_AT_ONCE === 0) {
      spendTime()
      yield
    }
    const bit = 1n << BigInt(tests.length)
    tests.push({ bit, holds: compileAnyCondition({ attribute: 'a', operator, values: [value] }) })
    masks.set(key, bit)
  }
  const bitsOf = (text: string) =>
    tests.reduce((bits, { bit, holds }) => (holds({ a: text }, null) ? bits | bit : bits), 0n)
  const { texts, isComplete } =
    only === undefined ? yield* candidatesOf(all, spendTime) : { texts: [only], isComplete: true }
  const classes = new Map<bigint, string>()
  for (const text of texts) {
    spendTime()
    yield
    const bits = bitsOf(text)
    if (!classes.has(bits)) classes.set(bits, text)
    if (classes.size > CLASSES_MAX) break
  }
  const patterns = all.reduce(
    (mask, { operator }, index) => (operator === 'matches' ? mask | (1n << BigInt(index)) : mask),
    0n,
  )
  const found = [...classes].map(([bits, witness]): TextClass => ({ bits, witness }))
  return {
    classes: [...found, ...lateClasses(found, patterns)],
    isComplete: isComplete && classes.size <= CLASSES_MAX,
    maskOf: (operator, values) =>
      values.reduce((mask, value) => mask | (masks.get(keyOf(operator, value)) ?? 0n), 0n),
    bitsOf,
    fillersOf: createFillers(found, bitsOf),
  }
}

/** Patterns do not match an element behind those that they search. */
function lateClasses(classes: readonly TextClass[], patterns: bigint): TextClass[] {
  const known = new Set(classes.map(({ bits }) => bits))
  return classes.flatMap(({ bits, witness }) => {
    const late = bits & ~patterns
    if (known.has(late)) return []
    known.add(late)
    return [{ bits: late, witness, isLate: true }]
  })
}

function createFillers(classes: readonly TextClass[], bitsOf: (text: string) => bigint) {
  const known = new Map<bigint, readonly string[]>()
  return (negative: bigint): readonly string[] => {
    const found = known.get(negative) ?? listFillers(classes, negative, bitsOf)
    known.set(negative, found)
    return found
  }
}

/** Returns variations of the texts of classes. Fewer than are needed lead to no user, never to a proof. */
function listFillers(
  classes: readonly TextClass[],
  negative: bigint,
  bitsOf: (text: string) => bigint,
): string[] {
  const found = new Set<string>()
  const allowed = classes.filter(({ bits }) => (bits & negative) === 0n).slice(0, FILLER_CLASSES_MAX)
  for (const { witness } of allowed)
    for (let index = 0; index < SEARCHED_ELEMENTS && found.size < SEARCHED_ELEMENTS; index++)
      for (const text of [`${witness}${index}`, `${index}${witness}`])
        if (found.size < SEARCHED_ELEMENTS && (bitsOf(text) & negative) === 0n) found.add(text)
  return [...found]
}

/** Texts of which at least one is in each class, where `isComplete`. */
function* candidatesOf(
  atoms: readonly Atom[],
  spendTime: Spend,
): Steps<{ texts: string[]; isComplete: boolean }> {
  const values = atoms.map(({ value }) => value)
  const kinds = new Set(atoms.map(({ operator }) => OPERATOR_TABLE[operator].kind))
  const ordered = (['number', 'version', 'time'] as const).filter((kind) => kinds.has(kind))
  const texts = atoms.flatMap(({ operator, value }) => (isTextTest(operator) ? [{ operator, value }] : []))
  const isPlain = texts.every(({ operator }) => operator === 'equals')
  const product = isPlain ? [] : yield* textWitnesses(texts, spendTime)
  // Spellings of the witnesses themselves, of which a condition could name each.
  const isTaken = texts.some(({ value }) => ordered.length > 0 && /^\s|\+b/.test(value))
  const candidates = [freshText(values), ...values, ...(product ?? []), ...orderedCandidates(atoms)]
  const isComplete =
    product !== null &&
    ordered.length + (isPlain ? 0 : 1) <= 1 &&
    !isTaken &&
    values.every((value) => value.isWellFormed())
  return { texts: candidates, isComplete }
}

function orderedCandidates(atoms: readonly Atom[]): string[] {
  const valuesOf = (kind: string) =>
    atoms.filter(({ operator }) => OPERATOR_TABLE[operator].kind === kind).map(({ value }) => value)
  return [
    // A time may be written as a number too.
    ...numberWitnesses([...valuesOf('number').map(parseJsonNumber), ...valuesOf('time').map(parseTime)]),
    ...versionWitnesses(valuesOf('version')),
  ]
}

/** Returns a text that no condition names, and that is neither a number nor a version. */
function freshText(values: readonly string[]): string {
  let text = FRESH
  while (values.some((value) => value.includes(text))) text += 'x'
  return text
}
