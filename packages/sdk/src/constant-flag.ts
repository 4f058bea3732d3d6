import type { EvaluatedFlag, FlagType, JsonValue } from '@burgee/evaluation'

/** Returns a flag that has one value for every user. With null it is off and has no value. */
export function constantFlag(
  key: string,
  value: JsonValue,
  revision: number,
): EvaluatedFlag & { revision: number } {
  const type = flagTypeOf(value)
  return {
    key,
    is_enabled: value !== null,
    rollout_percentage: null,
    rules: [],
    flag_type: type,
    default_value: value,
    disabled_value: type === 'boolean' ? false : null,
    variants: [],
    prerequisites: [],
    revision,
  }
}

function flagTypeOf(value: JsonValue): FlagType {
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as 'boolean' | 'string'
  return Number.isSafeInteger(value) ? 'integer' : 'json'
}
