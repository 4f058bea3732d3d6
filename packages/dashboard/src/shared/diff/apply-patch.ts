import type { Flag } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

type JsonObject = { readonly [key: string]: JsonValue }
export type FlagPatchValue = Readonly<Record<string, JsonValue>>

/** What null in a patch sets a field to (docs/reference/flags.md#flag-fields). */
const unsaid = (isBoolean: boolean): Omit<Flag, 'key' | 'is_enabled' | 'revision'> => ({
  rollout_percentage: null,
  description: null,
  rules: [],
  flag_type: 'boolean',
  default_value: isBoolean ? true : null,
  disabled_value: isBoolean ? false : null,
  variants: [],
  prerequisites: [],
  tags: [],
  owner_email: null,
  archived_at: null,
})

/** The flag as a JSON merge patch (RFC 7386) would make it. For showing only: the server judges whether it fits. */
export function applyPatch(flag: Flag, patch: FlagPatchValue): Flag {
  const merged = merge({ ...flag }, { ...patch, key: flag.key, revision: flag.revision }) as Partial<Flag>
  const { key, is_enabled, revision } = flag
  return { ...unsaid((merged.flag_type ?? 'boolean') === 'boolean'), key, is_enabled, revision, ...merged }
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `__proto__` and the like are ordinary keys. */
function merge(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch
  const merged = new Map<string, JsonValue>(isObject(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, merge(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}
