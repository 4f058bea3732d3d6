import type { Condition, Evaluation, FlagSet, FlagType, JsonValue } from '@burgee/evaluation'
import { type Fields, listOf } from '../../evaluation/src/assert-valid.ts'
import { FLAG_NOT_FOUND, type FlagCell } from '../../evaluation/src/compile-flag.ts'
import { compileCell } from '../../evaluation/src/create-flag-set.ts'
import { compileEvaluatorAttributes } from '../../evaluation/src/extension/evaluator-attributes.ts'
import { MAX_PREREQUISITE_LEVELS } from '../../evaluation/src/flag-set.ts'
import { readValue } from '../../evaluation/src/read-value.ts'
import type { Steps } from './steps.ts'

/** A set, or a part of one. */
export type Flags = Pick<FlagSet, 'get' | 'has' | 'evaluate'>

/** A flag that has been compiled: its fields are valid. */
export interface ExploredFlag {
  readonly fields: Fields
  readonly type: FlagType
  /** The value of an enabled flag that no rule gives another one. */
  readonly standard: JsonValue
  readonly disabled: JsonValue
  /** The result of a flag that is missing, archived or not valid. */
  readonly fault: Evaluation | null
  /** True where every attribute that begins with `$`, the user key aside, is absent. */
  readonly isEvaluator: boolean
}

const USER_KEY = '$user_key'

/** Stands for a flag that is missing, and for conditions that belong to no flag. */
export const NO_FLAG: ExploredFlag = {
  fields: {},
  type: 'boolean',
  standard: null,
  disabled: null,
  fault: null,
  isEvaluator: false,
}

/** Returns a flag of the set, compiled to know whether it is valid. Its values may have a megabyte. */
function* readFlag(flags: Flags, key: string): Steps<ExploredFlag> {
  const missing = { ...NO_FLAG, fault: FLAG_NOT_FOUND }
  if (!flags.has(key)) return missing
  const evaluation = flags.evaluate(key)
  if (evaluation.reason === 'FLAG_NOT_FOUND') return missing
  const fields = flags.get(key) as Fields
  yield
  try {
    const cell = compileCell(fields, () => ({}) as FlagCell)
    if (cell.constantResult?.reason === 'ERROR') return { ...missing, fault: cell.constantResult }
  } catch {
    return { ...missing, fault: evaluation }
  }
  // Compiled, so it has one of the types.
  const type = (fields.flag_type ?? 'boolean') as FlagType
  const isBoolean = type === 'boolean'
  yield
  const standard = readValue(type, fields.default_value, isBoolean || null)
  yield
  return {
    fields,
    type,
    standard,
    disabled: readValue(type, fields.disabled_value, isBoolean ? false : null),
    fault: null,
    isEvaluator: compileEvaluatorAttributes(fields, listOf(fields.rules)) !== null,
  }
}

/**
 * Returns the flag and every one that it needs, down to the last level that is evaluated. It yields after
 * each flag, which may need thousands.
 *
 * @param spend Is called for each flag, and may throw a RangeError to end the search.
 */
export function* closureOf(
  flags: Flags,
  key: string,
  spend: (flag: ExploredFlag) => void,
): Steps<Map<string, ExploredFlag>> {
  const found = new Map<string, ExploredFlag>()
  let level = [key]
  for (let depth = 0; depth <= MAX_PREREQUISITE_LEVELS && level.length > 0; depth++) {
    const next = new Set<string>()
    for (const each of level) {
      const flag = yield* readFlag(flags, each)
      found.set(each, flag)
      for (const { flag_key } of listOf(flag.fields.prerequisites)) next.add(String(flag_key))
      spend(flag)
      yield
    }
    level = [...next].filter((each) => !found.has(each))
  }
  return found
}

/** Returns the conditions of all rules of a flag. */
export const conditionsOf = ({ fields }: ExploredFlag): Condition[] =>
  listOf(fields.rules).flatMap((rule) => [rule, ...listOf(rule.conditions)]) as unknown as Condition[]

/** Returns whether the flag can see an attribute of this name. */
export const sees = ({ isEvaluator }: ExploredFlag, name: string): boolean =>
  !isEvaluator || name === USER_KEY || !name.startsWith('$')
