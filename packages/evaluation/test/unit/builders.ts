import type { EvaluatedFlag, Prerequisite, TargetingRule, WeightedVariant } from '../../src/index.ts'

/** A boolean flag that is on for every user, except where the test states otherwise. */
export function aFlag(stated: Partial<EvaluatedFlag> & Record<string, unknown> = {}): EvaluatedFlag {
  const isBoolean = (stated.flag_type ?? 'boolean') === 'boolean'
  return {
    key: 'flag',
    is_enabled: true,
    rollout_percentage: null,
    rules: [],
    flag_type: 'boolean',
    default_value: isBoolean ? true : null,
    disabled_value: isBoolean ? false : null,
    variants: [],
    prerequisites: [],
    ...stated,
  }
}

/** A string flag with the values "on" and "off". */
export function aStringFlag(stated: Partial<EvaluatedFlag> & Record<string, unknown> = {}): EvaluatedFlag {
  return aFlag({ flag_type: 'string', default_value: 'on', disabled_value: 'off', ...stated })
}

export function aRule(stated: Partial<TargetingRule> = {}): TargetingRule {
  return { attribute: 'plan', operator: 'equals', values: ['pro'], ...stated }
}

/** Variants with these weights and the values "a", "b", "c" and so on. */
export function weighted(...weights: number[]): WeightedVariant[] {
  return weights.map((weight, index) => ({ weight, value: String.fromCharCode(97 + index) }))
}

export function needs(flag_key: string, required_value?: Prerequisite['required_value']): Prerequisite {
  return required_value === undefined ? { flag_key } : { flag_key, required_value }
}

/** "user-0", "user-1" and so on. */
export function users(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `user-${index}`)
}
