import type { Flag, FlagInput, TargetingRule, TargetingRuleInput } from '@burgee/contract'
import { type JsonValue, OPERATORS, type Operator } from '@burgee/evaluation'

/** The content of a flag: everything except what the server assigns. */
export type FlagContent = Omit<Flag, 'archived_at' | 'revision'>

/** Sets missing and null fields to their defaults (docs/reference/flags.md#flag-fields). */
export function toFlagContent(input: FlagInput): FlagContent {
  const flag_type = input.flag_type ?? 'boolean'
  return {
    key: input.key,
    is_enabled: input.is_enabled,
    rollout_percentage: input.rollout_percentage ?? null,
    description: input.description ?? null,
    rules: (input.rules ?? []).map(toRule),
    flag_type,
    default_value: input.default_value ?? defaultValue(flag_type, true),
    disabled_value: input.disabled_value ?? defaultValue(flag_type, false),
    variants: (input.variants ?? []).map(({ weight, value }) => ({ weight, value })),
    prerequisites: (input.prerequisites ?? []).map(({ flag_key, required_value }) => ({
      flag_key,
      ...(isSaid(required_value) && { required_value }),
    })),
    tags: input.tags ?? [],
    owner_email: input.owner_email ?? null,
  }
}

/** Returns the default value: boolean flags are true when on and false when off; others have none. */
const defaultValue = (flag_type: Flag['flag_type'], booleanValue: boolean): JsonValue =>
  flag_type === 'boolean' ? booleanValue : null

/**
 * Keeps known fields of the right type; null means absent. `validateRules` finds what an incomplete rule
 * without a segment lacks.
 */
export function toRule(rule: TargetingRuleInput): TargetingRule {
  const { attribute, conditions, operator, segment_key, values, variant } = rule
  return {
    ...(typeof attribute === 'string' && { attribute }),
    ...(isOperator(operator) && { operator }),
    ...(isTexts(values) && { values }),
    ...(isSaid(segment_key) && { segment_key }),
    ...(isSaid(variant) && { variant }),
    ...(isSaid(conditions) && {
      conditions: conditions.map((condition) => ({
        attribute: condition.attribute,
        operator: condition.operator,
        values: condition.values,
      })),
    }),
  }
}

const OPERATORS_OR_NONE: readonly unknown[] = [...OPERATORS, '']
const isOperator = (value: unknown): value is Operator | '' => OPERATORS_OR_NONE.includes(value)
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
const isSaid = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined
