import type { Flag } from '@burgee/contract'

/** A value that a flag gives to every user, with the field that has it. */
interface Constant {
  readonly value: unknown
  readonly from: 'default_value' | 'disabled_value'
}

/**
 * Returns the value that every user gets, where the flag alone shows it: it is off, or has neither rules nor
 * variants, prerequisites and a partial rollout.
 */
function findConstant(flag: Flag): Constant | null {
  const share = flag.rollout_thousandths ?? (flag.rollout_percentage ?? 100) * 1000
  if (!flag.is_enabled || (share === 0 && flag.rules.length === 0))
    return { value: flag.disabled_value, from: 'disabled_value' }
  const isPlain = flag.rules.length + flag.variants.length + flag.prerequisites.length === 0
  return isPlain && share === FULL ? { value: flag.default_value, from: 'default_value' } : null
}
const FULL = 100_000

/** Returns what a list states of a flag. */
export function summarizeFlag(flag: Flag, now: number) {
  const { description, expires_at, flag_type, is_enabled, key, owner_email, revision, tags } = flag
  const constant = findConstant(flag)
  return {
    key,
    flag_type,
    is_enabled,
    rollout_percentage:
      typeof flag.rollout_thousandths === 'number'
        ? flag.rollout_thousandths / 1000
        : flag.rollout_percentage,
    rules: flag.rules.length,
    is_archived: flag.archived_at !== null,
    ...(description && { description }),
    ...(owner_email && { owner_email }),
    ...(tags.length > 0 && { tags }),
    revision,
    stale: {
      is_expired: expires_at != null && Date.parse(expires_at) < now,
      ...(constant && { same_value_for_all: constant.value }),
    },
  }
}
