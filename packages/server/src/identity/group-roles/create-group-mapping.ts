import { GROUP_MAPPINGS_MAX, type GroupMapping, type GroupMappingInput } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { actorName, type UserActor } from '../../kernel/actor.ts'
import { conflict, invalid } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { lockProjectForShare } from '../../structure/environments/index.ts'
import { lockRolesForShare } from '../../structure/roles/index.ts'
import type { GroupChanges } from './group-changes.ts'
import { isWorkspaceRole } from './group-rights.ts'
import { mappingAudit } from './mapping-audit.ts'
import { insertMappingRow, lockMappings } from './mapping-queries.ts'
import { putPeopleOfGroup } from './waiting-queries.ts'

export interface MappingDeps extends WorkspaceWriteDeps {
  /** Applies changes of the table to those who have signed in. */
  readonly groupChanges: Pick<GroupChanges, 'apply'>
}

/**
 * Gives the members of a group a role, also those who have signed in, one after another. Refuses with
 * `invalid` for a project or role that does not exist, and with `conflict` when the group has a role there.
 */
export async function createGroupMapping(
  deps: MappingDeps,
  actor: UserActor,
  { group, project_id, role }: GroupMappingInput,
): Promise<GroupMapping> {
  const created = await writeWorkspace(deps, actor, async ({ now, tx }) => {
    const count = await lockMappings(tx)
    if (count >= GROUP_MAPPINGS_MAX)
      throw conflict(`There are ${GROUP_MAPPINGS_MAX} rows already. Delete one that is not needed.`)
    await requireTarget(tx, { project_id, role })
    const row = await insertMappingRow(tx, { group, project_id, role, now })
    if (!row) throw conflict('This group has a role there already. Delete that row first.')
    await putPeopleOfGroup(tx, { group, requested_by: actorName(actor) })
    const audit = mappingAudit({ action: 'create', before: null, after: row })
    return { result: row, audit, changesAccess: false }
  })
  await deps.groupChanges.apply()
  return created
}

async function requireTarget(
  tx: Transaction<Database>,
  { project_id, role }: Pick<GroupMappingInput, 'project_id' | 'role'>,
): Promise<void> {
  if (project_id !== null && !(await lockProjectForShare(tx, project_id)))
    throw invalid([{ path: '/project_id', message: 'must be the id of a project, or null' }])
  if (project_id === null && !isWorkspaceRole(role))
    throw invalid([{ path: '/role', message: 'must be viewer, editor or admin in the workspace' }])
  if (!(await lockRolesForShare(tx, [role])).has(role))
    throw invalid([{ path: '/role', message: 'must be the key of a role' }])
}
