import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { applyToGroup, mappingAudit } from './apply-to-group.ts'
import { deleteMappingRow, lockMappings } from './mapping-queries.ts'

/** Ends the role of a group, and takes it away at once from those who have it from this group alone. */
export async function deleteGroupMapping(
  deps: WorkspaceWriteDeps,
  actor: UserActor,
  id: number,
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ now, tx }) => {
    await lockMappings(tx)
    const before = await deleteMappingRow(tx, id)
    if (!before) throw notFound('row of the table of groups')
    const applied = await applyToGroup(tx, before.group, now)
    const entry = mappingAudit({ action: 'delete', before, after: null })
    return { result: undefined, audit: [entry, ...applied], changesAccess: true }
  })
}
