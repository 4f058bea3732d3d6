import { type ChangeRequest, describeFlagChange } from '@burgee/contract'
import { describePatch } from '../../parts/schedule/describe-patch.ts'

/** What a request changes, in phrases: against the flag of now while that is known, else as it was written down. */
export function describeChange({ operation, patch, preview }: ChangeRequest): readonly string[] {
  if (preview && preview.problem === undefined) return describeFlagChange(preview.before, preview.after)
  return operation === 'delete' ? ['deleted'] : describePatch(patch)
}
