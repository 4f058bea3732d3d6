import { writeWorkspace } from '../../changes/index.ts'
import { actorName, type UserActor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { MappingDeps } from './create-group-mapping.ts'
import { mappingAudit } from './mapping-audit.ts'
import { deleteMappingRow, lockMappings } from './mapping-queries.ts'
import { putPeopleOfGroup } from './waiting-queries.ts'

/** Ends the role of a group, and takes it away from those who have it from this group alone. */
export async function deleteGroupMapping(deps: MappingDeps, actor: UserActor, id: number): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    await lockMappings(tx)
    const before = await deleteMappingRow(tx, id)
    if (!before) throw notFound('row of the table of groups')
    await putPeopleOfGroup(tx, { group: before.group, requested_by: actorName(actor) })
    const audit = mappingAudit({ action: 'delete', before, after: null })
    return { result: undefined, audit, changesAccess: false }
  })
  await deps.groupChanges.apply()
}
