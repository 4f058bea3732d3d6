import type { Evaluation } from '@burgee/evaluation'
import type { EvaluationSet } from '../../kernel/evaluation-set.ts'
import type { ReadContext } from './read-context.ts'

interface Resolver {
  /** Evaluates a flag, and returns whether that may have been large. */
  resolve(
    set: EvaluationSet,
    key: string,
    context: ReadContext,
  ): { readonly evaluation: Evaluation; readonly isLarge: boolean }
  /** Returns whether a large evaluation has taken this turn of the event loop. */
  isBusy(): boolean
}

/** An evaluation with more steps, of about a nanosecond each (docs/reference/operators.md#cost), is large. */
const STEPS_AT_ONCE = 1_000_000
/** With a larger context each is: reading a list costs no steps, and still takes time. */
const SMALL_CONTEXT_LENGTH = 4 * 1024

/**
 * Evaluates flags, and knows whether the requests that arrive in this turn of the event loop have to wait:
 * each large evaluation has a turn of its own.
 */
export function createResolver(): Resolver {
  let isTurnTaken = false
  return {
    resolve({ flags }, key, { attributes, canonical, userKey }) {
      const before = flags.steps
      const evaluation = flags.resolve(key, userKey, attributes)
      const isLarge = canonical.length > SMALL_CONTEXT_LENGTH || flags.steps - before > STEPS_AT_ONCE
      if (isLarge && !isTurnTaken) {
        isTurnTaken = true
        setImmediate(() => {
          isTurnTaken = false
        })
      }
      return { evaluation, isLarge }
    },
    isBusy: () => isTurnTaken,
  }
}
