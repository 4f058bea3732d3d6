import { compileFlag, EVALUATION_ERROR, FLAG_NOT_FOUND, type FlagCell } from './compile-flag.ts'
import type { Fields } from './demand.ts'
import type { Evaluation } from './evaluation.ts'
import type { Attributes } from './flag.ts'

export interface EvaluationContext {
  /**
   * The stable identifier that is hashed. Null and absent: nobody in particular. An empty text is a key like any other.
   * From callers without types a number counts as its text, anything else as absent.
   */
  readonly userKey?: string | null | undefined
  readonly attributes?: Attributes | null | undefined
}

/**
 * The flags of one environment, ready for evaluation. Nothing here throws for what a flag, a user key or an attribute
 * contains: a malformed flag, or attributes that fail to be read, evaluate to `ERROR`.
 */
export interface FlagSet {
  /** How many flags there are, malformed and archived ones included. */
  readonly size: number
  keys(): IterableIterator<string>
  has(key: string): boolean
  /** The flag as it was given. */
  get(key: string): unknown
  /** Adds the flag, or replaces the one with its key. Something without a key in text is left out. */
  upsert(flag: unknown): void
  remove(key: string): void
  evaluate(flagKey: string, context?: EvaluationContext): Evaluation
  /** The same with positions for names. Allocates nothing: the result is frozen and shared. */
  resolve(flagKey: string, userKey?: string | null, attributes?: Attributes | null): Evaluation
  /** For boolean flags whether the value is true, for others whether the flag is enabled; false for an unknown flag. */
  isEnabled(flagKey: string, userKey?: string | null, attributes?: Attributes | null): boolean
}

/** A chain of this many prerequisite levels evaluates; with one more it is unsatisfied, and so is every cycle. */
const MAX_PREREQUISITE_LEVELS = 10

const notFound = () => FLAG_NOT_FOUND
const NO_FLAG: FlagCell = {
  always: FLAG_NOT_FOUND,
  isBoolean: false,
  evaluate: notFound,
  evaluateOnce: notFound,
}

export function createFlagSet(flags: Iterable<unknown> = []): FlagSet {
  const given = new Map<string, unknown>()
  // Outlives its flag: prerequisites of other flags may point at it.
  const cells = new Map<string, FlagCell>()
  let run = 0

  function cellOf(key: string): FlagCell {
    const cell = cells.get(key) ?? { ...NO_FLAG }
    cells.set(key, cell)
    return cell
  }

  const set: FlagSet = {
    get size() {
      return given.size
    },
    keys: () => given.keys(),
    has: (key) => given.has(key),
    get: (key) => given.get(key),
    upsert(flag) {
      let key: unknown
      let compiled: Partial<FlagCell> = { always: EVALUATION_ERROR }
      try {
        const fields = flag as Fields
        key = fields.key
        compiled = fields.archived_at == null ? compileFlag(fields, cellOf) : NO_FLAG
      } catch {}
      if (typeof key !== 'string') return
      given.set(key, flag)
      Object.assign(cellOf(key), compiled)
    },
    remove(key) {
      given.delete(key)
      cellOf(key).always = FLAG_NOT_FOUND
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
      if (flag.always !== null) return flag.always
      try {
        return flag.evaluate(
          typeof userKey === 'string' ? userKey : typeof userKey === 'number' ? String(userKey) : null,
          attributes && typeof attributes === 'object' ? attributes : {},
          ++run,
          MAX_PREREQUISITE_LEVELS,
        )
      } catch {
        return EVALUATION_ERROR
      }
    },
    isEnabled(flagKey, userKey, attributes) {
      const { value, enabled } = set.resolve(flagKey, userKey, attributes)
      return cells.get(flagKey)?.isBoolean ? value === true : enabled
    },
  }
  for (const flag of flags) set.upsert(flag)
  return set
}
