import { type Fields, listOf } from '../assert-valid.ts'
import { EVALUATION_ERROR, FLAG_NOT_FOUND, type FlagCell } from '../compile-flag.ts'
import { compileCell } from '../create-flag-set.ts'
import type { Evaluation } from '../evaluation.ts'
import { compileEvaluatorAttributes } from '../extension/evaluator-attributes.ts'
import { type FlagSet, NO_FLAG } from '../flag-set.ts'
import type { Run } from '../run.ts'
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
  /** One for all flags, as in an evaluation. */
  readonly run: Run
  /** The flags that were compiled. */
  readonly cells: Map<string, AskedCell>
  /** The flags that were enabled, with the levels below them at the time (`EvaluateFlag`). */
  readonly known: Map<string, { readonly levels: number; readonly explained: Explained }>
}

/** A compiled flag, and what the present evaluation of it has asked. */
interface AskedCell {
  readonly cell: Partial<FlagCell>
  asked: Explained[]
}

/**
 * Explains one flag.
 *
 * @param levels How many levels of prerequisites may follow below this flag.
 * @throws What reading the attributes throws.
 */
export function explainFlag(question: Question, key: string, levels: number): Explained {
  const { attributes: given, userKey } = question
  const { asked, evaluation } = evaluateAsked(question, key, levels)
  const flag = question.flags.get(key)
  if (evaluation.reason === 'ERROR' || evaluation.reason === 'FLAG_NOT_FOUND') return { evaluation, size: 0 }
  // The flag has been compiled, so it is an object with valid fields.
  const fields = flag as Fields
  const attributes = compileEvaluatorAttributes(fields, listOf(fields.rules))?.(given, userKey) ?? given
  const subject = { flag: fields, userKey, attributes, evaluation, run: question.run }
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

/** Evaluates a flag, and returns what it has asked. */
function evaluateAsked(question: Question, key: string, levels: number) {
  const known = question.cells.get(key) ?? compileAsked(question, key)
  question.cells.set(key, known)
  const { asked: outer, cell } = known
  const asked: Explained[] = []
  known.asked = asked
  const { attributes, run, userKey } = question
  const evaluation =
    cell.constantResult ?? cell.evaluatePrerequisite?.(userKey, attributes, run, levels) ?? EVALUATION_ERROR
  // In a cycle the flag is being evaluated already.
  known.asked = outer
  return { asked, evaluation }
}

/** Compiles a flag whose prerequisites are explained when they are evaluated, in their order. */
function compileAsked(question: Question, key: string): AskedCell {
  const { flags } = question
  if (!flags.has(key)) return { cell: { constantResult: FLAG_NOT_FOUND }, asked: [] }
  try {
    // As in `FlagSet`: reading a field of what is no object gives undefined or throws.
    const flag = flags.get(key) as Fields
    if (flag.archived_at != null) return { cell: { constantResult: FLAG_NOT_FOUND }, asked: [] }
    const own: AskedCell = {
      asked: [],
      cell: compileCell(flag, (target) => {
        const evaluate: FlagCell['evaluate'] = (_userKey, _attributes, _run, levels) => {
          const explained = recall(question, target, levels)
          own.asked.push(explained)
          return explained.evaluation
        }
        return { ...NO_FLAG, constantResult: null, evaluatePrerequisite: evaluate }
      }),
    }
    return own
  } catch {
    return { cell: { constantResult: EVALUATION_ERROR }, asked: [] }
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
