import { EVALUATION_ERROR } from '../compile-flag.ts'
import { TOO_LARGE } from '../create-flag-set.ts'
import { type EvaluationContext, MAX_PREREQUISITE_LEVELS } from '../flag-set.ts'
import { isLarge } from '../list.ts'
import { createRun, MAX_STEPS } from '../run.ts'
import { type ExplainedFlags, explainFlag } from './explain-flag.ts'
import type { ExplainedEvaluation } from './trace.ts'

/**
 * Evaluates a flag of a set as `evaluate` does, with the steps to the result. The flag is compiled by the
 * code that evaluates for programs, so the two never differ. It costs some ten times as much.
 *
 * A flag may have the `origins` of its rules, as the server and the stream have them
 * (docs/reference/streaming.md#origins-of-rules).
 */
export const explain = (
  flags: ExplainedFlags,
  flagKey: string,
  context?: EvaluationContext,
): ExplainedEvaluation => createExplainer(flags, context)(flagKey)

/**
 * Creates what explains many flags of a set for one user, as `explain` does: prerequisites that flags share
 * are explained once. The flags must not change meanwhile.
 */
export function createExplainer(
  flags: ExplainedFlags,
  context: EvaluationContext | undefined,
): (flagKey: string) => ExplainedEvaluation {
  let user: ReturnType<typeof readUser> | undefined
  const shared = { seen: new Map(), explained: new Map() }
  return (flagKey) => {
    const run = createRun()
    try {
      user ??= readUser(context)
      const { attributes, isSmall, userKey } = user
      const resolve = isSmall ? flags.resolve : undefined
      const question = {
        flags,
        resolve,
        userKey,
        attributes,
        run,
        shared,
        cells: new Map(),
        known: new Map(),
      }
      const { evaluation, trace } = explainFlag(question, flagKey, MAX_PREREQUISITE_LEVELS)
      return trace ? Object.assign({}, evaluation, { trace }) : evaluation
    } catch {
      // Reading the attributes failed, or they are too large.
      return run.steps > MAX_STEPS ? TOO_LARGE : EVALUATION_ERROR
    }
  }
}

/** Reads the user. Nothing small has steps, so that no bound depends on the evaluations before. */
function readUser({ attributes, userKey }: EvaluationContext = {}) {
  const given = attributes && typeof attributes === 'object' ? attributes : {}
  const key = typeof userKey === 'string' ? userKey : typeof userKey === 'number' ? String(userKey) : null
  return { userKey: key, attributes: given, isSmall: !isLarge(key) && hasSmallValues(given) }
}

/** An attribute that cannot be read is one of the rules that read it. */
function hasSmallValues(given: object): boolean {
  try {
    return !Object.values(given).some(isLarge)
  } catch {
    return false
  }
}
