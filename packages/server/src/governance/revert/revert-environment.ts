import type { ImpactChange, RevertInput, RevertResult, Warning } from '@burgee/contract'
import {
  addWarnings,
  type EnvironmentWrite,
  RolledBack,
  recordParts,
  tryEnvironment,
  type WriteOutcome,
  writeEnvironment,
} from '../../changes/index.ts'
import { type Actor, actorIdentity } from '../../kernel/actor.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { ImpactOf } from '../../targeting/stored-impacts/index.ts'
import { planRevert } from './plan-revert.ts'
import { toImpactChanges } from './to-impact-changes.ts'
import { type UndoDeps, writeUndo } from './write-undo.ts'

export type RevertDeps = UndoDeps & { readonly impactOf: ImpactOf }

interface RevertEnvironmentInput {
  readonly project_id: string
  readonly environment_id: string
  readonly input: RevertInput
  /** Refuses when the actor may not write segments. */
  readonly requireSegments: () => void
}

/**
 * Undoes entries of the audit log in one write. A dry run is the same write, rolled back. Refuses with
 * `conflict` where a later change touched the same field.
 */
export async function revertEnvironment(
  deps: RevertDeps,
  actor: Actor,
  { environment_id, input, project_id, requireSegments }: RevertEnvironmentInput,
): Promise<RevertResult> {
  const work = (write: EnvironmentWrite) => revertWithin(deps, write, actor, { input, requireSegments })
  const withWarnings = ({ result, ...reverted }: Reverted, warnings: readonly Warning[]): Reverted => ({
    ...reverted,
    result: addWarnings(result, warnings),
  })
  if (input.dry_run === true) {
    const reverted = await tryEnvironment(deps, environment_id, actor, work, { withWarnings })
    const { change_requests: _, ...result } = reverted.result
    if (input.impact === false || reverted.changes.length === 0) return result
    const place = { caller: actorIdentity(actor), project_id, environment_id }
    const impact = await findImpact(deps, { ...place, changes: reverted.changes })
    return { ...result, ...(impact && { impact }) }
  }
  try {
    return (await writeEnvironment(deps, environment_id, actor, work, { withWarnings })).result
  } catch (error) {
    // The entries cancel each other out, so there is nothing to store. Only this work throws it.
    if (error instanceof RolledBack) return (error.result as Reverted).result
    throw error
  }
}

/** The result, and the changes as the impact takes them. */
interface Reverted {
  readonly result: RevertResult
  readonly changes: readonly ImpactChange[]
}

/** Returns the impact of a dry run; null where it cannot be computed, which the undo does not need. */
async function findImpact({ impactOf }: RevertDeps, change: Parameters<ImpactOf>[0]) {
  try {
    return await impactOf(change)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

async function revertWithin(
  deps: RevertDeps,
  write: EnvironmentWrite,
  actor: Actor,
  { input, requireSegments }: Pick<RevertEnvironmentInput, 'input' | 'requireSegments'>,
): Promise<WriteOutcome<Reverted>> {
  const plan = await planRevert(write, input.audit_ids)
  if (plan.segments.size > 0) requireSegments()
  const { change_requests, changes, events, items, parts } = await writeUndo(deps, write, actor, plan)
  const result: RevertResult = {
    revision: write.environment.revision + changes.length,
    dry_run: input.dry_run === true,
    changes: items,
    ...(change_requests.length > 0 && { change_requests }),
  }
  const reverted = { result, changes: items.length === 0 ? [] : toImpactChanges(plan) }
  const recorded = await recordParts(write, parts, deps.quotaBytes)
  if (!recorded) throw new RolledBack(reverted)
  return { result: reverted, ...recorded, events }
}
