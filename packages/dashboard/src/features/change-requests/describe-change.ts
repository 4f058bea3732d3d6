import { type ChangeRequest, describeFlagChange } from '@burgee/contract'
import { describePatch } from '../../parts/schedule/describe-patch.ts'

/**
 * The change of a request, in phrases: a decided one as it was, a pending one against the current flag.
 * Otherwise it is the patch.
 */
export function describeChange({
  decided_change: decided,
  operation,
  patch,
  preview,
}: ChangeRequest): readonly string[] {
  if (decided) return describeFlagChange(decided.before, decided.after)
  if (operation === 'unschedule') return []
  if (preview && preview.problem === undefined) return describeFlagChange(preview.before, preview.after)
  return operation === 'delete' ? ['deleted'] : describePatch(patch)
}
