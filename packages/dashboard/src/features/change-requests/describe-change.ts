import { type ChangeRequest, describeFlagChange } from '@burgee/contract'
import { describePatch } from '../../parts/schedule/describe-patch.ts'

/**
 * The change of a request, in phrases. It is compared with the current flag while that is known, otherwise
 * with the flag that was written down.
 */
export function describeChange({ operation, patch, preview }: ChangeRequest): readonly string[] {
  if (preview && preview.problem === undefined) return describeFlagChange(preview.before, preview.after)
  return operation === 'delete' ? ['deleted'] : describePatch(patch)
}
