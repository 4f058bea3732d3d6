import { type AppliedChange, type ApplyInput, type ApplyResult, splitApply } from '@burgee/contract'
import { send } from '../../shared/api/call.ts'
import type { EnvironmentPlan, ImportPart } from './import-plan.ts'
import type { Progress } from './use-progress.ts'

/** The changes that were made in one environment. */
export interface AppliedPlan {
  readonly plan: EnvironmentPlan
  readonly changes: readonly AppliedChange[]
  readonly change_requests: NonNullable<ApplyResult['change_requests']>
}

interface ApplyOptions {
  readonly comment: string | undefined
  readonly onProgress: (progress: Progress) => void
  /** Called with each environment that is done. */
  readonly onApplied: (applied: AppliedPlan) => void
}

/**
 * Applies the plans, one environment after the other. It rejects at the first that is refused: what was
 * reported to `onApplied` before stays.
 */
export async function applyImport(
  plans: readonly EnvironmentPlan[],
  { comment, onApplied, onProgress }: ApplyOptions,
): Promise<void> {
  for (const [position, plan] of plans.entries()) {
    const changes: AppliedChange[] = []
    const change_requests: AppliedPlan['change_requests'] = []
    const overrideReason = plan.override?.reason
    const parts = splitApply(plan.imported.segments, plan.imported.flags)
    for (const [index, part] of parts.entries()) {
      const share = (position + index / parts.length) / plans.length
      onProgress({ share, label: `Importing into ${plan.target.name}` })
      const input = { params: { env_id: plan.target.id }, body: partBody(part, plan.changes) }
      const { body: result } = await send('applyEnvironment', input, {
        ...{ comment, overrideReason },
        handlesViolations: true,
      })
      changes.push(...result.changes)
      change_requests.push(...(result.change_requests ?? []))
    }
    onApplied({ plan, changes, change_requests })
  }
}

/** Returns the body of one call. It is refused if a flag or segment is not as it was at the preview. */
export function partBody(part: ImportPart, changes: readonly AppliedChange[]): ApplyInput {
  const expected = (resource: AppliedChange['resource'], items: readonly { readonly key: string }[]) => {
    const keys = new Set(items.map(({ key }) => key))
    return Object.fromEntries(
      changes
        .filter((change) => change.resource === resource && keys.has(change.key))
        .map(({ base_revision, key }) => [key, base_revision]),
    )
  }
  return {
    ...part,
    if_revisions: {
      flags: expected('flag', part.flags),
      segments: expected('segment', part.segments),
    },
  }
}
