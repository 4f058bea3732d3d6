import type { Experiment, ExperimentPatch } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { experimentAudit } from './experiment-audit.ts'
import { type ExperimentPlace, lockExperiment, updateExperimentRow } from './queries.ts'

interface UpdateExperimentInput extends ExperimentPlace {
  readonly project_id: string
  readonly patch: ExperimentPatch
}

/**
 * Changes the given fields; the key and the flag cannot change. Refuses with `not_found` when it does not
 * exist.
 */
export async function updateExperiment(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { environment_id, key, patch, project_id }: UpdateExperimentInput,
): Promise<Experiment> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockExperiment(tx, { environment_id, key })
    if (!before) throw notFound('experiment')
    const after: Experiment = {
      ...before,
      status: patch.status ?? before.status,
      name: patch.name ?? before.name,
      goal_event_key: patch.goal_event_key ?? before.goal_event_key,
      // Null clears these two; a missing one does not change.
      description: patch.description === undefined ? before.description : patch.description,
      control_variant: patch.control_variant === undefined ? before.control_variant : patch.control_variant,
    }
    await updateExperimentRow(tx, after)
    return {
      result: after,
      audit: experimentAudit({ project_id, action: 'update', before, after }),
      changesAccess: false,
    }
  })
}
