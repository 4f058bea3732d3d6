import { EVALUATION_ERROR } from '../compile-flag.ts'
import { TOO_LARGE } from '../create-flag-set.ts'
import { type EvaluationContext, type FlagSet, MAX_PREREQUISITE_LEVELS } from '../flag-set.ts'
import { createRun, MAX_STEPS } from '../run.ts'
import { explainFlag } from './explain-flag.ts'
import type { ExplainedEvaluation } from './trace.ts'

/**
 * Evaluates a flag of a set as `evaluate` does, with the steps to the result. The flag is compiled by the
 * code that evaluates for programs, so the two never differ. It costs some ten times as much.
 *
 * A flag may have the `origins` of its rules, as the server and the stream have them
 * (docs/reference/streaming.md#origins-of-rules).
 */
export function explain(
  flags: Pick<FlagSet, 'get' | 'has'>,
  flagKey: string,
  context?: EvaluationContext,
): ExplainedEvaluation {
  const run = createRun()
  try {
    const { attributes, userKey } = context ?? {}
    const { evaluation, trace } = explainFlag(
      {
        flags,
        userKey: typeof userKey === 'string' ? userKey : typeof userKey === 'number' ? String(userKey) : null,
        attributes: attributes && typeof attributes === 'object' ? attributes : {},
        run,
        cells: new Map(),
        known: new Map(),
      },
      flagKey,
      MAX_PREREQUISITE_LEVELS,
    )
    return trace ? Object.assign({}, evaluation, { trace }) : evaluation
  } catch {
    // Reading the attributes failed, or they are too large.
    return run.steps > MAX_STEPS ? TOO_LARGE : EVALUATION_ERROR
  }
}
