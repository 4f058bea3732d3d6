import { type Flag, type FlagInput, percentageOf } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { isGiven } from '../../kernel/is-given.ts'
import { toRule } from '../rules/index.ts'
import { toFlagExtensions } from './flag-extensions.ts'

/** The content of a flag: everything except what the server assigns. */
export type FlagContent = Omit<Flag, 'archived_at' | 'revision'>

/** Sets missing and null fields to their defaults (docs/reference/flags.md#flag-fields). */
export function toFlagContent(input: FlagInput): FlagContent {
  const flag_type = input.flag_type ?? 'boolean'
  return {
    key: input.key,
    is_enabled: input.is_enabled,
    rollout_percentage: percentageOf(input),
    description: input.description ?? null,
    rules: (input.rules ?? []).map(toRule),
    flag_type,
    default_value: input.default_value ?? defaultValue(flag_type, true),
    disabled_value: input.disabled_value ?? defaultValue(flag_type, false),
    variants: (input.variants ?? []).map(({ weight, value }) => ({ weight, value })),
    prerequisites: (input.prerequisites ?? []).map(({ flag_key, required_value }) => ({
      flag_key,
      ...(isGiven(required_value) && { required_value }),
    })),
    tags: input.tags ?? [],
    owner_email: input.owner_email ?? null,
    ...toFlagExtensions(input),
  }
}

/** Returns the default value: boolean flags are true when on and false when off; others have none. */
const defaultValue = (flag_type: Flag['flag_type'], booleanValue: boolean): JsonValue =>
  flag_type === 'boolean' ? booleanValue : null
