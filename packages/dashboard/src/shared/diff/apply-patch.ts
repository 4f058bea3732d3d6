import { completeShare, type Flag, mergePatch } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

export type FlagPatchValue = Readonly<Record<string, JsonValue>>

/** The values to which null in a patch sets fields (docs/reference/flags.md#flag-fields). */
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

/** The flag as a JSON merge patch (RFC 7386) would change it, to show it: the server validates it. */
export function applyPatch(flag: Flag, patch: FlagPatchValue): Flag {
  const merged = mergePatch(
    { ...flag },
    { ...completeShare(patch), key: flag.key, revision: flag.revision },
  ) as Partial<Flag>
  const { key, is_enabled, revision } = flag
  return { ...unsaid((merged.flag_type ?? 'boolean') === 'boolean'), key, is_enabled, revision, ...merged }
}
