import {
  type CompiledFlag,
  compileFlag,
  EVALUATION_ERROR,
  FLAG_NOT_FOUND,
  type FlagCell,
} from './compile-flag.ts'
import { evaluateFlag, MAX_PREREQUISITE_LEVELS } from './evaluate-flag.ts'
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

const NO_ATTRIBUTES = Object.freeze({})

export function createFlagSet(flags: Iterable<unknown> = []): FlagSet {
  const given = new Map<string, unknown>()
  // Outlives its flag: prerequisites of other flags may point at it.
  const cells = new Map<string, FlagCell>()
  // A field of an object, because a number that outgrows 31 bits is then still counted up in place.
  const last = { run: 0 }

  function cellOf(key: string): FlagCell {
    const cell = cells.get(key) ?? { flag: null }
    cells.set(key, cell)
    return cell
  }

  function evaluateFor(flag: CompiledFlag, userKey: unknown, attributes: unknown): Evaluation {
    if (flag.always !== null) return flag.always
    const key = typeof userKey === 'number' ? String(userKey) : userKey
    const readable = typeof attributes === 'object' && attributes !== null ? attributes : NO_ATTRIBUTES
    try {
      return evaluateFlag(
        flag,
        typeof key === 'string' ? key : null,
        readable,
        ++last.run,
        MAX_PREREQUISITE_LEVELS,
      )
    } catch {
      return EVALUATION_ERROR
    }
  }

  const set: FlagSet = {
    get size() {
      return given.size
    },
    keys: () => given.keys(),
    has: (key) => given.has(key),
    get: (key) => given.get(key),
    upsert(flag) {
      const key = keyOf(flag)
      if (key === null) return
      given.set(key, flag)
      cellOf(key).flag = compileFlag(flag, cellOf)
    },
    remove(key) {
      given.delete(key)
      const cell = cells.get(key)
      if (cell !== undefined) cell.flag = null
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
      const flag = cells.get(flagKey)?.flag
      return flag ? evaluateFor(flag, userKey, attributes) : FLAG_NOT_FOUND
    },
    isEnabled(flagKey, userKey, attributes) {
      const flag = cells.get(flagKey)?.flag
      if (!flag) return false
      const { value, enabled } = evaluateFor(flag, userKey, attributes)
      return flag.isBoolean ? value === true : enabled
    },
  }
  for (const flag of flags) set.upsert(flag)
  return set
}

function keyOf(flag: unknown): string | null {
  try {
    const { key } = flag as { key?: unknown }
    return typeof key === 'string' ? key : null
  } catch {
    return null
  }
}
