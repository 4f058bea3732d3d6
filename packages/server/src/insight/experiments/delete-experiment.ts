import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { experimentAudit } from './experiment-audit.ts'
import { deleteExperimentRow, type ExperimentPlace, lockExperiment } from './queries.ts'

/** Deletes an experiment; its reports stay. Refuses with `not_found` when it does not exist. */
export async function deleteExperiment(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { project_id, ...place }: ExperimentPlace & { readonly project_id: string },
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockExperiment(tx, place)
    if (!before) throw notFound('experiment')
    await deleteExperimentRow(tx, before.id)
    return {
      result: undefined,
      audit: experimentAudit({ project_id, action: 'delete', before, after: null }),
      changesAccess: false,
    }
  })
}
