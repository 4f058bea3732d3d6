import type { Flag, FlagInput, TargetingRule } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

/** What a write says of a flag: everything but what the server assigns. */
export type FlagContent = Omit<Flag, 'archived_at' | 'revision'>

/** Fills in what was not said or was set to nothing (contract, section 5, field defaults). */
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

/** Boolean flags are true when on and false when off; others have no value of their own. */
const defaultValue = (flag_type: Flag['flag_type'], boolean_value: boolean): JsonValue =>
  flag_type === 'boolean' ? boolean_value : null

/** Keeps the known fields that say something: `segment_key: null` and `variant: null` mean absent. */
export function toRule(rule: TargetingRule): TargetingRule {
  const { attribute, conditions, operator, segment_key, values, variant } = rule
  return {
    ...(attribute !== undefined && { attribute }),
    ...(operator !== undefined && { operator }),
    ...(values !== undefined && { values }),
    ...(isSaid(segment_key) && { segment_key }),
    ...(isSaid(variant) && { variant }),
    ...(conditions !== undefined && {
      conditions: conditions.map((condition) => ({
        attribute: condition.attribute,
        operator: condition.operator,
        values: condition.values,
      })),
    }),
  }
}

const isSaid = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined
