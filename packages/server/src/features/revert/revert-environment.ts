import type { RevertInput, RevertResult } from '@burgee/contract'
import {
  addWarnings,
  type EnvironmentWrite,
  RolledBack,
  recordParts,
  tryEnvironment,
  type WriteOutcome,
  writeEnvironment,
} from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { planRevert } from './plan-revert.ts'
import { type RevertDeps, writeUndo } from './write-undo.ts'

interface RevertEnvironmentInput {
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
  { environment_id, input, requireSegments }: RevertEnvironmentInput,
): Promise<RevertResult> {
  const work = (write: EnvironmentWrite) => revertWithin(deps, write, actor, { input, requireSegments })
  const options = { withWarnings: addWarnings<RevertResult> }
  if (input.dry_run === true) {
    const { change_requests: _, ...result } = await tryEnvironment(deps, environment_id, actor, work, options)
    return result
  }
  try {
    return await writeEnvironment(deps, environment_id, actor, work, options)
  } catch (error) {
    // The entries cancel each other out, so there is nothing to store. Only this work throws it.
    if (error instanceof RolledBack) return error.result as RevertResult
    throw error
  }
}

async function revertWithin(
  deps: RevertDeps,
  write: EnvironmentWrite,
  actor: Actor,
  { input, requireSegments }: Omit<RevertEnvironmentInput, 'environment_id'>,
): Promise<WriteOutcome<RevertResult>> {
  const plan = await planRevert(write, input.audit_ids)
  if (plan.segments.size > 0) requireSegments()
  const { change_requests, changes, events, items, parts } = await writeUndo(deps, write, actor, plan)
  const result: RevertResult = {
    revision: write.environment.revision + changes.length,
    dry_run: input.dry_run === true,
    changes: items,
    ...(change_requests.length > 0 && { change_requests }),
  }
  const recorded = await recordParts(write, parts, deps.quotaBytes)
  if (!recorded) throw new RolledBack(result)
  return { result, ...recorded, events }
}
