import type { CheckRun } from '../check-run.ts'
import { identityOf } from '../json-identity.ts'
import type { LinearPattern } from '../linear-pattern.ts'
import type { RuleOf } from './rule-source.ts'

/** Keywords about every value. */
export const FIRST_RULES: Readonly<Record<string, RuleOf<unknown>>> = {
  type(argument) {
    const types = [argument].flat() as readonly string[]
    const message = types.length === 1 ? `must be ${types[0]}` : `must be either ${types.join(' or ')}`
    return (run, value) => {
      run.spend(types.length)
      for (const type of types) if (isOfType(type, value)) return true
      return run.fail(message)
    }
  },
  const: (argument, { run }) => {
    const expected = identityOf(argument, run.names, run.spend)
    return oneOf(new Set([expected]), 'must be equal to constant')
  },
  enum: (argument, { run }) => {
    const allowed = (argument as readonly unknown[]).map((each) => identityOf(each, run.names, run.spend))
    return oneOf(new Set(allowed), 'must be equal to one of the allowed values')
  },
}

export const NUMBER_RULES: Readonly<Record<string, RuleOf<number>>> = {
  minimum: (limit) => bound(`must be >= ${limit}`, (value) => value >= Number(limit)),
  maximum: (limit) => bound(`must be <= ${limit}`, (value) => value <= Number(limit)),
  exclusiveMinimum: (limit) => bound(`must be > ${limit}`, (value) => value > Number(limit)),
  exclusiveMaximum: (limit) => bound(`must be < ${limit}`, (value) => value < Number(limit)),
  multipleOf: (divisor) =>
    bound(`must be multiple of ${divisor}`, (value) => isMultipleOf(value, Number(divisor))),
}

export const TEXT_RULES: Readonly<Record<string, RuleOf<string>>> = {
  minLength: (limit) => (run, value) =>
    hasAtLeast(value, Number(limit), run) || run.fail(`must not have fewer than ${limit} characters`),
  maxLength: (limit) => (run, value) =>
    !hasAtLeast(value, Number(limit) + 1, run) || run.fail(`must not have more than ${limit} characters`),
  pattern(argument) {
    const { matches, pattern } = argument as LinearPattern
    return (run, value) => matches(value) || run.fail(`must match pattern "${pattern}"`)
  },
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function oneOf(allowed: ReadonlySet<unknown>, message: string): ReturnType<RuleOf<unknown>> {
  const hasCompound = [...allowed].some((each) => typeof each === 'string' && each.startsWith('\0'))
  return (run, value) => {
    // A large value is read only where one of that kind is allowed.
    const isCompound = typeof value === 'object' && value !== null
    if (isCompound && !hasCompound) return run.fail(message)
    return allowed.has(identityOf(value, run.names, run.spend)) || run.fail(message)
  }
}

const bound =
  (message: string, fits: (value: number) => boolean): ReturnType<RuleOf<number>> =>
  (run, value) =>
    fits(value) || run.fail(message)

/** The difference that is due to binary fractions: 0.3 is a multiple of 0.1. */
const TOLERANCE = 1e-10

function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isInteger(value) && (1 / divisor) % 1 === 0) return true
  const rest = value % divisor
  return Math.min(Math.abs(rest), Math.abs(rest - divisor), Math.abs(rest + divisor)) < TOLERANCE
}

/** The characters that one step counts. */
const COUNTED_PER_STEP = 16

/** Returns whether a text has so many code points. It counts only where the length does not decide. */
function hasAtLeast(text: string, count: number, { spend }: CheckRun): boolean {
  if (text.length < count) return false
  if (text.length >= 2 * count) return true
  spend(text.length / COUNTED_PER_STEP)
  let points = 0
  for (const _ of text) points += 1
  return points >= count
}
