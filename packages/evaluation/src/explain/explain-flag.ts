import { type Fields, listOf } from '../assert-valid.ts'
import { compileAnyCondition } from '../compile-any-condition.ts'
import { EVALUATION_ERROR, FLAG_NOT_FOUND, type FlagCell } from '../compile-flag.ts'
import { compileCell } from '../create-flag-set.ts'
import type { Evaluation } from '../evaluation.ts'
import { compileEvaluatorAttributes } from '../extension/evaluator-attributes.ts'
import type { Attributes } from '../flag.ts'
import { type FlagSet, NO_FLAG } from '../flag-set.ts'
import type { Run } from '../run.ts'
import type { Condition } from '../test-attribute.ts'
import type { Explained, SeenAttribute } from './subject.ts'
import type { DecidingStep, Trace } from './trace.ts'
import { tracePrerequisites } from './trace-prerequisites.ts'
import { traceFlagRollout } from './trace-rollout.ts'
import { traceRules } from './trace-rules.ts'
import { traceValue } from './trace-value.ts'

/** The flags that are explained. Those of a set are compiled already. */
export type ExplainedFlags = Pick<FlagSet, 'get' | 'has'> & Partial<Pick<FlagSet, 'resolve'>>

/** The user and the flags of one explanation. */
export interface Question {
  readonly flags: ExplainedFlags
  /** The evaluation of the flags, where it may be requested one of them alone. */
  readonly resolve: FlagSet['resolve'] | undefined
  readonly userKey: string | null
  readonly attributes: Attributes
  /** One for all flags, as in an evaluation. */
  readonly run: Run
  /** The flags that were compiled. */
  readonly cells: Map<string, AskedCell>
  /** The flags that were enabled, with the levels below them at the time (`EvaluateFlag`). */
  readonly known: Map<string, Known>
  readonly shared: Shared
}

/** The state that the explanations of one user share. */
interface Shared {
  readonly seen: Map<string, SeenAttribute>
  /** Prerequisites whose evaluation had no steps, so that no bound depends on who requests them. */
  readonly explained: Map<string, Known>
}

interface Known {
  readonly levels: number
  readonly explained: Explained
}

/** The explanations that are remembered for one user. Beyond them it begins again. */
const SHARED_MAX = 1_000

/** A compiled flag, and what the present evaluation of it has asked. */
interface AskedCell {
  readonly flag: unknown
  readonly cell: Partial<FlagCell>
  readonly conditions: Map<Fields, Condition>
  asked: Explained[]
}

const NO_CONDITIONS = new Map<Fields, Condition>()

/**
 * Explains one flag.
 *
 * @param levels How many levels of prerequisites may follow below this flag.
 * @throws What reading the attributes throws.
 */
export function explainFlag(question: Question, key: string, levels: number): Explained {
  const { attributes: given, run, shared, userKey } = question
  const { asked, conditions, evaluation, flag } =
    evaluateAlone(question, key) ?? evaluateAsked(question, key, levels)
  if (evaluation.reason === 'ERROR' || evaluation.reason === 'FLAG_NOT_FOUND')
    return { evaluation, size: 0, depth: 0 }
  // The flag has been compiled, so it is an object with valid fields.
  const fields = flag as Fields
  const own = compileEvaluatorAttributes(fields, listOf(fields.rules))?.(given, userKey)
  const seen = own ? new Map<string, SeenAttribute>() : shared.seen
  const subject = { flag: fields, userKey, attributes: own ?? given, evaluation, run, conditions, seen }
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
  return { evaluation, trace, size, depth: depthOf(evaluation, asked) }
}

/** Below the last level nothing is asked, and the first prerequisite counts as failed. */
function depthOf({ reason }: Evaluation, asked: readonly Explained[]): number {
  if (asked.length === 0) return reason === 'PREREQUISITE_FAILED' ? Number.POSITIVE_INFINITY : 0
  return 1 + Math.max(...asked.map(({ depth }) => depth))
}

interface Asked extends Pick<AskedCell, 'conditions' | 'flag'> {
  readonly asked: readonly Explained[]
  readonly evaluation: Evaluation
}

/** Evaluates a flag of a set that requires no other: it needs not be compiled once more. Null for others. */
function evaluateAlone({ attributes, flags, resolve, userKey }: Question, key: string): Asked | null {
  if (!resolve) return null
  const flag = flags.get(key)
  if (listOf(Object(flag).prerequisites).length !== 0) return null
  return { flag, asked: [], conditions: NO_CONDITIONS, evaluation: resolve(key, userKey, attributes) }
}

/** Evaluates a flag, and returns what it has asked. */
function evaluateAsked(question: Question, key: string, levels: number): Asked {
  const known = question.cells.get(key) ?? compileAsked(question, key)
  question.cells.set(key, known)
  const { asked: outer, cell, conditions, flag } = known
  const asked: Explained[] = []
  known.asked = asked
  const { attributes, run, userKey } = question
  const evaluation =
    cell.constantResult ?? cell.evaluatePrerequisite?.(userKey, attributes, run, levels) ?? EVALUATION_ERROR
  // In a cycle the flag is being evaluated already.
  known.asked = outer
  return { asked, conditions, evaluation, flag }
}

/** Compiles a flag whose prerequisites are explained when they are evaluated, in their order. */
function compileAsked(question: Question, key: string): AskedCell {
  const { flags } = question
  if (!flags.has(key)) return constantCell(FLAG_NOT_FOUND)
  try {
    // As in `FlagSet`: reading a field of what is no object gives undefined or throws.
    const flag = flags.get(key) as Fields
    if (flag.archived_at != null) return constantCell(FLAG_NOT_FOUND)
    const conditions = new Map<Fields, Condition>()
    const cellOf = (target: string): FlagCell => ({
      ...NO_FLAG,
      constantResult: null,
      evaluatePrerequisite(_userKey, _attributes, _run, levels) {
        const explained = recall(question, target, levels)
        own.asked.push(explained)
        return explained.evaluation
      },
    })
    const cell = compileCell(flag, cellOf, (condition, costs) => {
      const compiled = compileAnyCondition(condition, costs)
      conditions.set(condition, compiled)
      return compiled
    })
    const own: AskedCell = { flag, cell, conditions, asked: [] }
    return own
  } catch {
    return constantCell(EVALUATION_ERROR)
  }
}

const constantCell = (constantResult: Evaluation): AskedCell => ({
  flag: undefined,
  cell: { constantResult },
  conditions: NO_CONDITIONS,
  asked: [],
})

/** An enabled result is valid for every path with as many levels, so the cost is that of an evaluation. */
function recall(question: Question, key: string, levels: number): Explained {
  const known = question.known.get(key)
  if (known && levels >= known.levels) return known.explained
  const { explained: shared } = question.shared
  const other = shared.get(key)
  // With as many levels as it has requested, or exactly as many as then, a flag asks the same.
  if (other && (levels === other.levels || levels >= other.explained.depth)) return other.explained
  const explained = explainFlag(question, key, levels)
  if (explained.evaluation.enabled) question.known.set(key, { levels, explained })
  if (question.run.steps === 0) {
    if (shared.size >= SHARED_MAX) shared.clear()
    shared.set(key, { levels, explained })
  }
  return explained
}

function decidingStep({ enabled, reason, rule_index }: Evaluation): DecidingStep {
  if (reason === 'PREREQUISITE_FAILED') return 'prerequisites'
  if (reason === 'DISABLED') return 'switch'
  // A rule may divide those who match among values.
  if (rule_index !== undefined) return 'rules'
  return enabled ? 'value' : 'rollout'
}
