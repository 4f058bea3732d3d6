import type { Environment, EnvironmentPatch } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { environmentAudit } from './environment-audit.ts'
import { type EnvironmentPlace, lockEnvironmentOf, updateEnvironmentRow } from './queries.ts'

/** Changes an environment's name or colour; its slug stays. Refuses with `not_found` when it is gone. */
export async function updateEnvironment(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { patch, place }: { readonly place: EnvironmentPlace; readonly patch: EnvironmentPatch },
): Promise<Environment> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockEnvironmentOf(tx, place)
    if (!before) throw notFound('environment')
    const { color = before.color, name = before.name } = patch
    const after = { ...before, name, color }
    await updateEnvironmentRow(tx, before.id, { name, color })
    return {
      result: after,
      audit: environmentAudit({ project_id: place.project_id, action: 'update', before, after }),
      changes_access: false,
    }
  })
}
