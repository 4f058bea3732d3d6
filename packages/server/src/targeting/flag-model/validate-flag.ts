import { type Flag, PROBLEMS_MAX } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import type { CheckBudget } from '../../kernel/check-budget.ts'
import { escapePointer } from '../../kernel/hygiene.ts'
import type { ProblemDetail } from '../../kernel/refusal.ts'
import { fitsType, validateRules } from '../rules/index.ts'
import type { FlagContent } from './flag.ts'
import { validateExtensions } from './validate-extensions.ts'

/**
 * Validates what the schema cannot check of a flag as a whole (docs/reference/flags.md): values match the
 * type, weights add up, rules are complete. Returns the problems; of a great many, the first.
 *
 * @param before The stored flag; null where there is none.
 */
export function validateFlag(
  flag: FlagContent,
  before: FlagContent | null,
  budget: CheckBudget,
): ProblemDetail[] {
  return [
    ...validateRules(flag.rules),
    ...validateValues(flag),
    ...validateVariants(flag, '/variants'),
    ...flag.rules.flatMap(({ variants = [] }, index) =>
      validateVariants({ flag_type: flag.flag_type, variants }, `/rules/${index}/variants`),
    ),
    ...validateExtensions(flag, before, budget),
  ].slice(0, PROBLEMS_MAX)
}

function validateValues({
  default_value,
  disabled_value,
  flag_type,
  rules,
  variant_names = {},
  variants,
}: FlagContent): ProblemDetail[] {
  const problems: ProblemDetail[] = []
  const check = (value: JsonValue | undefined, pathOf: () => string): void => {
    const fits = value === undefined || value === null || fitsType(flag_type, value)
    if (fits || problems.length >= PROBLEMS_MAX) return
    problems.push({
      path: pathOf(),
      message: `must be ${TYPE_NAMES[flag_type]} or null, because flag_type is ${flag_type}`,
    })
  }
  check(default_value, () => '/default_value')
  check(disabled_value, () => '/disabled_value')
  for (const [index, { variant }] of rules.entries()) check(variant, () => `/rules/${index}/variant`)
  for (const [index, { value }] of variants.entries()) check(value, () => `/variants/${index}/value`)
  for (const [index, rule] of rules.entries()) {
    for (const [at, { value }] of (rule.variants ?? []).entries())
      check(value, () => `/rules/${index}/variants/${at}/value`)
  }
  for (const [name, value] of Object.entries(variant_names)) {
    check(value, () => `/variant_names/${escapePointer(name)}`)
  }
  return problems
}

const TYPE_NAMES: Record<Flag['flag_type'], string> = {
  boolean: 'true, false',
  string: 'a string',
  integer: 'a whole number between -(2^53 - 1) and 2^53 - 1',
  json: 'JSON',
}

function validateVariants(
  { flag_type, variants }: Pick<FlagContent, 'flag_type' | 'variants'>,
  path: string,
): ProblemDetail[] {
  if (variants.length === 0) return []
  if (flag_type === 'boolean') {
    return [{ path, message: 'are for string, integer and json flags; a boolean flag has none' }]
  }
  const total = variants.reduce((sum, { weight }) => sum + weight, 0)
  if (total > 0 && Number.isSafeInteger(total)) return []
  return [{ path, message: 'need weights whose total is above 0 and at most 2^53 - 1' }]
}
