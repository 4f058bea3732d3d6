import type { EndpointInput, Flag } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { applyPatch, type FlagPatchValue } from '../../../shared/diff/apply-patch.ts'
import { reportedText, valuesOf } from '../list-control-values.ts'

type FlagPatchBody = EndpointInput<'patchFlag'>['body']

/**
 * The patch after which a flag gives one value to everyone: no rules, no variants, the whole rollout. Null if
 * the flag no longer has a value with that text, or if other flags decide too.
 */
export function shipPatch(flag: Flag, reported: string): FlagPatchBody | null {
  const value = valuesOf(flag).find((known) => known !== null && reportedText(known) === reported)
  if (value === undefined || value === null || flag.prerequisites.length > 0) return null
  // A boolean flag that is on gives true, so false is given by a flag that is off.
  if (flag.flag_type === 'boolean' && value === flag.disabled_value) return { is_enabled: false }
  return {
    is_enabled: true,
    rules: [],
    variants: [],
    rollout_percentage: null,
    ...(!isSame(value, flag.default_value) && { default_value: value }),
  }
}

/** The flag as the patch would leave it, to be reviewed. */
export const shippedFlag = (flag: Flag, patch: FlagPatchBody): Flag =>
  applyPatch(flag, patch as FlagPatchValue)

const isSame = (one: JsonValue, other: JsonValue): boolean => JSON.stringify(one) === JSON.stringify(other)
