import { closeChains, type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { type Actor, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { forbidden, invalid, notFound } from '../../kernel/refusal.ts'
import { environmentAudit } from './environment-audit.ts'
import { deleteEnvironmentRow, type EnvironmentPlace, lockEnvironmentsOf } from './queries.ts'

/**
 * Deletes an environment with everything in it. Its keys stop working and its streams end, on every instance.
 * Refuses with `invalid` for the project's default and its last environment, also when the default is moved
 * at the same time, and with `not_found` when it does not exist.
 */
export async function deleteEnvironment(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { environment_id, project_id }: EnvironmentPlace,
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ now, tx }) => {
    const environments = await lockEnvironmentsOf(tx, project_id, 'for_change')
    const before = environments.find(({ id }) => id === environment_id)
    if (!before) throw notFound('environment')
    if (isGuarded(before) && !isWorkspaceAdmin(actor)) {
      throw forbidden(
        'Changes to its flags need approval. Only a workspace admin may delete this environment.',
      )
    }
    if (environments.length === 1) throw undeletable('The last environment of a project cannot be deleted.')
    if (before.is_default) {
      throw undeletable('The default environment cannot be deleted. Make another one the default first.')
    }
    await deleteEnvironmentRow(tx, environment_id)
    const closed_chains = await closeChains(tx, [environment_id], now)
    return {
      result: undefined,
      audit: environmentAudit({ project_id, action: 'delete', before, after: null, closed_chains }),
      changesAccess: true,
    }
  })
}

const undeletable = (message: string) => invalid([{ path: '', message }])
