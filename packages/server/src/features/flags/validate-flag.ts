import type { Flag } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import type { ProblemDetail } from '../../kernel/refusal.ts'
import type { FlagContent } from './flag.ts'
import { validateRules } from './validate-rules.ts'

/**
 * What the schema cannot say of a flag as a whole (contract, section 5): values fit the type, weights add up, rules are
 * complete. Gives every problem.
 */
export function validateFlag(flag: FlagContent): ProblemDetail[] {
  return [...validateRules(flag.rules), ...validateValues(flag), ...validateVariants(flag)]
}

function validateValues(flag: FlagContent): ProblemDetail[] {
  const values: [string, JsonValue | undefined][] = [
    ['/default_value', flag.default_value],
    ['/disabled_value', flag.disabled_value],
    ...flag.rules.map((rule, index): [string, JsonValue | undefined] => [
      `/rules/${index}/variant`,
      rule.variant,
    ]),
    ...flag.variants.map(({ value }, index): [string, JsonValue] => [`/variants/${index}/value`, value]),
  ]
  return values
    .filter(([, value]) => value !== undefined && value !== null && !fitsType(flag.flag_type, value))
    .map(([path]) => ({ path, message: `must be ${TYPE_NAMES[flag.flag_type]} or null, as flag_type says` }))
}

const TYPE_NAMES: Record<Flag['flag_type'], string> = {
  boolean: 'true, false',
  string: 'a string',
  integer: 'a whole number between -(2^53 - 1) and 2^53 - 1',
  json: 'JSON',
}

/** Integers stay within what JSON numbers carry exactly (RFC 8259, section 6). */
function fitsType(flag_type: Flag['flag_type'], value: JsonValue): boolean {
  if (flag_type === 'json') return true
  if (flag_type === 'integer') return Number.isSafeInteger(value)
  return typeof value === flag_type
}

function validateVariants({ flag_type, variants }: FlagContent): ProblemDetail[] {
  if (variants.length === 0) return []
  if (flag_type === 'boolean') {
    return [{ path: '/variants', message: 'are for string, integer and json flags; a boolean flag has none' }]
  }
  const total = variants.reduce((sum, { weight }) => sum + weight, 0)
  if (total > 0 && Number.isSafeInteger(total)) return []
  return [{ path: '/variants', message: 'need weights whose total is above 0 and at most 2^53 - 1' }]
}
