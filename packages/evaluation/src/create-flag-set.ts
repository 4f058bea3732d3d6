import type { Fields } from './assert-valid.ts'
import { compileAnyCondition } from './compile-any-condition.ts'
import { compileFlag, type FlagCell } from './compile-flag.ts'
import { createEvaluation } from './evaluation.ts'
import { compileExtension } from './extension/compile-extension.ts'
import { createNamedEvaluation } from './extension/name-variant.ts'
import { createFlagSetWith, type FlagSet } from './flag-set.ts'
import { MAX_ATTRIBUTE_ELEMENTS } from './list.ts'
import { EXTENSIONS } from './requirements.ts'
import { MAX_STEPS } from './run.ts'

const MESSAGE_MAX_LENGTH = 200

/** The result where the attributes of a user are too large for the tests of a flag. */
export const TOO_LARGE = /* @__PURE__ */ createEvaluation('ERROR', null, false, {
  message: `takes more than ${MAX_STEPS} steps, or an attribute has more than ${MAX_ATTRIBUTE_ELEMENTS} elements: pass shorter lists and texts, or test fewer values`,
})

/** Creates a set that knows every operator and extension. */
export const createFlagSet = (flags?: Iterable<unknown>): FlagSet =>
  createFlagSetWith((flag, cellOf) => compileCell(flag, cellOf), flags, TOO_LARGE)

/** Compiles a flag with any operator and extension; throws when it is not valid. */
export function compileCell(
  flag: Fields,
  cellOf: (key: string) => FlagCell,
  compileCondition = compileAnyCondition,
): Partial<FlagCell> {
  // The engine rejects what is not a list.
  const required = (flag.requires ?? []) as readonly string[]
  const unknown = required.filter((extension) => !EXTENSIONS.includes(extension))
  if (unknown.length > 0) {
    const message = `requires ${unknown.join(', ')}, which this version does not know`
    const detail = { message: message.slice(0, MESSAGE_MAX_LENGTH) }
    return { constantResult: createEvaluation('ERROR', null, false, detail) }
  }
  const create = createNamedEvaluation(flag.variant_names)
  return compileFlag(flag, cellOf, compileCondition, create, compileExtension)
}
