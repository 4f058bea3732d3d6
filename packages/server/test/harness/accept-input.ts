import { FlagInput, SegmentInput, type TargetingRule } from '@burgee/contract'
import { createValidators } from '../../src/http/requests/validators.ts'
import { createCheckBudget } from '../../src/kernel/check-budget.ts'
import { toFlagContent } from '../../src/targeting/flag-model/flag.ts'
import { validateFlag } from '../../src/targeting/flag-model/validate-flag.ts'
import { toRule } from '../../src/targeting/rules/to-rule.ts'
import { validateRules } from '../../src/targeting/rules/validate-rules.ts'

const { body } = createValidators()
const isFlag = body(FlagInput)
const isSegment = body(SegmentInput)

/** Parses a segment as its endpoint does: JSON, then its schema, then its rules. Null when it is refused. */
export function acceptSegment(key: string, rules: unknown): TargetingRule[] | null {
  const input: unknown = asJson({ key, name: key, rules })
  if (!isSegment(input)) return null
  const accepted = (input as SegmentInput).rules?.map(toRule) ?? []
  return validateRules(accepted).length === 0 ? accepted : null
}

/** Parses a flag as its endpoint does: JSON, then its schema, then its values. Null when it is refused. */
export function acceptFlag(given: unknown) {
  const input: unknown = asJson(given)
  if (!isFlag(input)) return null
  const content = toFlagContent(input as FlagInput)
  return validateFlag(
    content,
    null,
    createCheckBudget(() => 0),
  ).length === 0
    ? content
    : null
}

const asJson = (given: unknown): unknown => JSON.parse(JSON.stringify(given))
