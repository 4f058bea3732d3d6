import type { Fields } from './assert-valid.ts'
import { EVALUATION_ERROR, FLAG_NOT_FOUND, type FlagCell } from './compile-flag.ts'
import type { Evaluation } from './evaluation.ts'
import type { Attributes } from './flag.ts'
import { createRun, MAX_STEPS } from './run.ts'

export interface EvaluationContext {
  /**
   * The stable identifier that is hashed. Null and absent mean an anonymous user. An empty text is a key like
   * any other. A number counts as its text, anything else as absent.
   */
  readonly userKey?: string | null | undefined
  readonly attributes?: Attributes | null | undefined
}

/**
 * The compiled flags of one environment. No content of a flag, a user key or an attribute makes it throw: an
 * invalid flag, or attributes that cannot be read, evaluate to `ERROR`.
 */
export interface FlagSet {
  /** The number of flags, invalid and archived ones included. */
  readonly size: number
  /** The steps of all evaluations so far, of about a nanosecond each (docs/reference/operators.md#cost). */
  readonly steps: number
  keys(): IterableIterator<string>
  has(key: string): boolean
  /** The flag as it was given. */
  get(key: string): unknown
  /** Adds the flag, or replaces the one with its key. A flag whose key is not a text is ignored. */
  upsert(flag: unknown): void
  remove(key: string): void
  evaluate(flagKey: string, context?: EvaluationContext): Evaluation
  /** Like `evaluate`, with positional arguments. The result is frozen and shared. */
  resolve(flagKey: string, userKey?: string | null, attributes?: Attributes | null): Evaluation
  /** `value === true` for boolean flags, `enabled` for other types; false for an unknown flag. */
  isEnabled(flagKey: string, userKey?: string | null, attributes?: Attributes | null): boolean
}

/**
 * The longest chain of prerequisites that is evaluated
 * (docs/reference/evaluation.md#prerequisites-in-evaluation).
 */
export const MAX_PREREQUISITE_LEVELS = 10

const notFound = () => FLAG_NOT_FOUND
export const NO_FLAG: FlagCell = {
  constantResult: FLAG_NOT_FOUND,
  isBoolean: false,
  evaluate: notFound,
  evaluatePrerequisite: notFound,
}

/** Compiles a flag; throws when it is not valid. */
export type CompileCell = (flag: Fields, cellOf: (key: string) => FlagCell) => Partial<FlagCell>

/**
 * Creates a set whose flags this function compiles.
 *
 * @param tooLarge The result beyond `MAX_STEPS`.
 */
export function createFlagSetWith(
  compile: CompileCell,
  flags: Iterable<unknown> = [],
  tooLarge = EVALUATION_ERROR,
): FlagSet {
  const given = new Map<string, unknown>()
  // A cell outlives its flag: prerequisites of other flags may reference it.
  const cells = new Map<string, FlagCell>()

  function cellOf(key: string): FlagCell {
    const cell = cells.get(key) ?? { ...NO_FLAG }
    cells.set(key, cell)
    return cell
  }

  /** The run of one evaluation after the other. One that begins inside another has its own. */
  const shared = createRun()
  let isRunning = false
  /** The ids of those runs count down, so that none has the id of another run or of none. */
  let innerId = -1

  // Apart from `resolve`, which engines inline into its callers.
  function evaluateCell(flag: FlagCell, userKey: unknown, attributes: unknown): Evaluation {
    // Reading attributes may call back.
    const isInner = isRunning
    const run = isInner ? createRun(--innerId) : shared
    let result: Evaluation
    isRunning = true
    run.id++
    try {
      result = flag.evaluate(keyOf(userKey), attributesOf(attributes), run, MAX_PREREQUISITE_LEVELS)
    } catch {
      result = run.steps > MAX_STEPS ? tooLarge : EVALUATION_ERROR
    }
    if (run.steps > 0) {
      set.steps += run.steps
      run.steps = 0
    }
    if (run.known !== null) run.known = null
    isRunning = isInner
    return result
  }

  const set: FlagSet & { size: number; steps: number } = {
    // A getter would give each set a hidden class of its own, and only a full garbage collection frees those.
    size: 0,
    steps: 0,
    keys: () => given.keys(),
    has: (key) => given.has(key),
    get: (key) => given.get(key),
    upsert(flag) {
      let key: unknown
      let compiled: Partial<FlagCell> = { constantResult: EVALUATION_ERROR }
      try {
        // Reading a field of anything but an object gives undefined or throws: the flag is then ignored.
        const fields = flag as Fields
        key = fields.key
        compiled = fields.archived_at == null ? compile(fields, cellOf) : NO_FLAG
      } catch {}
      if (typeof key !== 'string') return
      given.set(key, flag)
      set.size = given.size
      Object.assign(cellOf(key), compiled)
    },
    remove(key) {
      given.delete(key)
      set.size = given.size
      cellOf(key).constantResult = FLAG_NOT_FOUND
    },
    evaluate(flagKey, context) {
      try {
        return set.resolve(flagKey, context?.userKey, context?.attributes)
      } catch {
        return EVALUATION_ERROR
      }
    },
    resolve(flagKey, userKey, attributes) {
      // 1. Flag not found.
      const flag = cells.get(flagKey) ?? NO_FLAG
      return flag.constantResult ?? evaluateCell(flag, userKey, attributes)
    },
    isEnabled(flagKey, userKey, attributes) {
      const { value, enabled } = set.resolve(flagKey, userKey, attributes)
      return cells.get(flagKey)?.isBoolean ? value === true : enabled
    },
  }
  for (const flag of flags) set.upsert(flag)
  return set
}

const keyOf = (userKey: unknown): string | null =>
  typeof userKey === 'string' ? userKey : typeof userKey === 'number' ? String(userKey) : null

const attributesOf = (given: unknown): object => (given && typeof given === 'object' ? given : {})
