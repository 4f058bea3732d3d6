import { assertValid } from './assert-valid.ts'
import { compileCondition } from './compile-condition.ts'
import { compileFlag } from './compile-flag.ts'
import { createEvaluation } from './evaluation.ts'
import { createFlagSetWith, type FlagSet } from './flag-set.ts'

/**
 * Creates a set that knows the first nine operators and no extension: a flag with another operator, and a
 * flag that `requires` something, evaluate to `ERROR`. Results have no `variant`.
 */
export const createFlagSet = (flags?: Iterable<unknown>): FlagSet =>
  createFlagSetWith((flag, cellOf) => {
    assertValid(!flag.requires)
    return compileFlag(flag, cellOf, compileCondition, createEvaluation)
  }, flags)
