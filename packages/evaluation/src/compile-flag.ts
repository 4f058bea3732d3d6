import { type CompiledRule, compileRule } from './compile-rule.ts'
import { createEvaluation, type Evaluation } from './evaluation.ts'
import { FLAG_TYPES, type FlagType, type JsonValue } from './flag.ts'
import { compileRollout, type Rollout } from './rollout.ts'
import { indexRules, type RuleIndex } from './rule-index.ts'
import { type CompiledVariants, compileVariants } from './variants.ts'
import { demand, type Fields, readList, readObject, readText, readValue } from './wire.ts'

/** A flag made ready for evaluation: nothing is parsed, summed or built when a user comes. */
export interface CompiledFlag {
  /** What everybody gets at all times: `everybody` of a flag without prerequisites. */
  readonly always: Evaluation | null
  readonly isBoolean: boolean
  readonly prerequisites: readonly CompiledPrerequisite[]
  /** What everybody gets once the prerequisites are satisfied; null where users or attributes have a say. */
  readonly everybody: Evaluation | null
  readonly rules: readonly CompiledRule[]
  readonly ruleIndex: RuleIndex | null
  readonly rollout: Rollout
  readonly outside: Evaluation
  readonly variants: CompiledVariants | null
  /** Inside the rollout, no variant chosen. */
  readonly inside: Evaluation
  readonly memo: PrerequisiteMemo
}

/** The enabled result that a flag gave as a prerequisite, with how many levels left, in which evaluation. */
export interface PrerequisiteMemo {
  run: number
  levels: number
  result: Evaluation
}

export interface CompiledPrerequisite {
  readonly target: FlagCell
  /** Null: it need only be enabled. */
  readonly requiredValue: JsonValue
  readonly unsatisfied: Evaluation
}

/** Where the flag of some key stands, if there is one. References point here, so that replacing a flag touches no other. */
export interface FlagCell {
  flag: CompiledFlag | null
}

export const FLAG_NOT_FOUND = createEvaluation('FLAG_NOT_FOUND', null, false)
export const EVALUATION_ERROR = createEvaluation('ERROR', null, false)

const EMPTY_FLAG = { key: '', is_enabled: false }

/** Never throws: a malformed flag compiles to one that always gives ERROR, an archived one to FLAG_NOT_FOUND. */
export function compileFlag(given: unknown, cellOf: (key: string) => FlagCell): CompiledFlag {
  try {
    const flag = readObject(given)
    if (flag.archived_at == null) return compile(flag, cellOf, null)
  } catch {
    return compile(EMPTY_FLAG, cellOf, EVALUATION_ERROR)
  }
  return compile(EMPTY_FLAG, cellOf, FLAG_NOT_FOUND)
}

/**
 * Fields that are missing or null get their default, fields unknown here are ignored.
 *
 * @param fixed What everybody gets, whatever the flag says.
 * @throws when the flag is malformed.
 */
function compile(flag: Fields, cellOf: (key: string) => FlagCell, fixed: Evaluation | null): CompiledFlag {
  const key = readText(flag.key)
  const type = (flag.flag_type ?? 'boolean') as FlagType
  const percentage = flag.rollout_percentage ?? 100
  demand(FLAG_TYPES.includes(type) && typeof flag.is_enabled === 'boolean')
  demand(Number.isInteger(percentage) && Number(percentage) >= 0 && Number(percentage) <= 100)
  const isBoolean = type === 'boolean'
  const rollout = compileRollout(key, Number(percentage))
  const on = readValue(type, flag.default_value, isBoolean || null)
  const off = readValue(type, flag.disabled_value, isBoolean ? false : null)
  // A matching rule on a boolean flag gives true, whatever its variant says.
  const variantOr = (otherwise: JsonValue) => (variant: unknown) =>
    isBoolean || readValue(type, variant, otherwise)
  const rules = readList(flag.rules, (rule, index) => compileRule(rule, index, variantOr(on)))
  const variants = compileVariants(
    key,
    readList(flag.variants, (variant) => variant),
    variantOr(null),
  )
  demand(variants === null || !isBoolean)
  const outside = createEvaluation(percentage === 0 ? 'DEFAULT' : 'SPLIT', off, false)
  const inside = createEvaluation(
    percentage !== 100 ? 'SPLIT' : rules.length > 0 || variants !== null ? 'DEFAULT' : 'STATIC',
    on,
    true,
  )
  // Where no user and no attribute can make a difference, steps 3 to 6 are settled here.
  let everybody = fixed
  if (!flag.is_enabled) everybody ??= createEvaluation('DISABLED', off, false)
  else if (rules.length === 0 && percentage === 0) everybody = outside
  else if (rules.length === 0 && percentage === 100 && variants === null) everybody = inside
  const prerequisites = readList(flag.prerequisites, (entry) => compilePrerequisite(entry, off, cellOf))
  const memo = { run: 0, levels: 0, result: outside }
  const always = prerequisites.length > 0 ? null : everybody
  return {
    always,
    isBoolean,
    prerequisites,
    everybody,
    rules,
    ruleIndex: indexRules(rules),
    rollout,
    outside,
    variants,
    inside,
    memo,
  }
}

function compilePrerequisite(
  { flag_key, required_value }: Fields,
  off: JsonValue,
  cellOf: (key: string) => FlagCell,
): CompiledPrerequisite {
  const prerequisite_key = readText(flag_key)
  return {
    target: cellOf(prerequisite_key),
    requiredValue: readValue('json', required_value, null),
    unsatisfied: createEvaluation('PREREQUISITE_FAILED', off, false, { prerequisite_key }),
  }
}
