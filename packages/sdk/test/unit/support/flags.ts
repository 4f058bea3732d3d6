import type { EvaluatedFlag } from '@burgee/evaluation'

export type TestFlag = EvaluatedFlag & { revision: number }

/** A boolean flag that is on for every user, except for the given fields. */
export function flag(key: string, fields: Partial<TestFlag> = {}): TestFlag {
  return {
    key,
    is_enabled: true,
    rollout_percentage: null,
    rules: [],
    flag_type: 'boolean',
    default_value: true,
    disabled_value: false,
    variants: [],
    prerequisites: [],
    revision: 1,
    ...fields,
  }
}

export function stringFlag(key: string, value: string | null): TestFlag {
  return flag(key, { flag_type: 'string', default_value: value, disabled_value: null })
}
