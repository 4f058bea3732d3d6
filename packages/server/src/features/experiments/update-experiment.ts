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

/** Changes what the patch names; its key and its flag stay, whatever is sent. Refuses with `not_found` when it is gone. */
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
      // Null empties these two; missing leaves them.
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
