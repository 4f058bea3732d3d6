import { type Fields, listOf } from '../assert-valid.ts'
import { EVALUATION_ERROR, FLAG_NOT_FOUND, type FlagCell } from '../compile-flag.ts'
import { compileCell } from '../create-flag-set.ts'
import type { Evaluation } from '../evaluation.ts'
import { compileEvaluatorAttributes } from '../extension/evaluator-attributes.ts'
import type { FlagSet } from '../flag-set.ts'
import type { Explained } from './subject.ts'
import type { DecidingStep, Trace } from './trace.ts'
import { tracePrerequisites } from './trace-prerequisites.ts'
import { traceFlagRollout } from './trace-rollout.ts'
import { traceRules } from './trace-rules.ts'
import { traceValue } from './trace-value.ts'

/** The user and the flags of one explanation. */
export interface Question {
  readonly flags: Pick<FlagSet, 'get' | 'has'>
  readonly userKey: string | null
  readonly attributes: object
  /** The flags that were enabled, with the levels below them at the time (`memoizeEnabled`). */
  readonly known: Map<string, { readonly levels: number; readonly explained: Explained }>
}

/**
 * Explains one flag.
 *
 * @param levels How many levels of prerequisites may follow below this flag.
 * @throws What reading the attributes throws.
 */
export function explainFlag(question: Question, key: string, levels: number): Explained {
  const asked: Explained[] = []
  const cell = compileAsked(question, key, asked)
  const { attributes: given, userKey } = question
  const evaluation = cell.constantResult ?? cell.evaluate?.(userKey, given, 1, levels) ?? EVALUATION_ERROR
  const flag = question.flags.get(key)
  if (evaluation.reason === 'ERROR' || evaluation.reason === 'FLAG_NOT_FOUND') return { evaluation, size: 0 }
  // The flag has been compiled, so it is an object with valid fields.
  const fields = flag as Fields
  const attributes = compileEvaluatorAttributes(fields, listOf(fields.rules))?.(given, userKey) ?? given
  const subject = { flag: fields, userKey, attributes, evaluation }
  const { size, ...prerequisites } = tracePrerequisites(subject, asked)
  // Not one literal: V8 gives each that begins with a spread a hidden class of its own.
  const trace: Trace = Object.assign(
    typeof fields.revision === 'number' ? { flag_revision: fields.revision } : {},
    prerequisites,
    { switch: fields.is_enabled ? ('on' as const) : ('off' as const) },
    traceRules(subject),
    {
      rollout: traceFlagRollout(subject),
      value: traceValue(subject),
      decided: decidingStep(evaluation),
    },
  )
  return { evaluation, trace, size }
}

/** Compiles a flag whose prerequisites are explained when they are evaluated, in their order. */
function compileAsked(question: Question, key: string, asked: Explained[]): Partial<FlagCell> {
  const { flags } = question
  if (!flags.has(key)) return { constantResult: FLAG_NOT_FOUND }
  try {
    // As in `FlagSet`: reading a field of what is no object gives undefined or throws.
    const flag = flags.get(key) as Fields
    if (flag.archived_at != null) return { constantResult: FLAG_NOT_FOUND }
    return compileCell(flag, (target) => {
      const evaluate: FlagCell['evaluate'] = (_userKey, _attributes, _run, levels) => {
        const explained = recall(question, target, levels)
        asked.push(explained)
        return explained.evaluation
      }
      return { constantResult: null, isBoolean: false, evaluate, evaluatePrerequisite: evaluate }
    })
  } catch {
    return { constantResult: EVALUATION_ERROR }
  }
}

/** An enabled result is valid for every path with as many levels, so the cost is that of an evaluation. */
function recall(question: Question, key: string, levels: number): Explained {
  const known = question.known.get(key)
  if (known && levels >= known.levels) return known.explained
  const explained = explainFlag(question, key, levels)
  if (explained.evaluation.enabled) question.known.set(key, { levels, explained })
  return explained
}

function decidingStep({ enabled, reason, rule_index }: Evaluation): DecidingStep {
  if (reason === 'PREREQUISITE_FAILED') return 'prerequisites'
  if (reason === 'DISABLED') return 'switch'
  // A rule may divide those who match among values.
  if (rule_index !== undefined) return 'rules'
  return enabled ? 'value' : 'rollout'
}
