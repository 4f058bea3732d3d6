import type { Transaction } from 'kysely'
import { type WorkspaceAudit, writeWorkspace } from '../../changes/index.ts'
import type { Database } from '../../platform/db/tables.ts'
import { putPeople } from '../group-roles/index.ts'
import type { GroupChange } from './group-change.ts'
import {
  addMembers,
  countGroups,
  countMembers,
  deleteGroupRow,
  findManagedIds,
  findMembers,
  insertGroup,
  lockGroup,
  removeMembers,
  type StoredGroup,
  updateGroup,
} from './group-queries.ts'
import { countGroupChange, findMappedPlaces, keepsAnAdmin, lockAdmins } from './group-rights-queries.ts'
import { GROUP_MEMBERS_MAX, GROUPS_MAX } from './limits.ts'
import { refusingDuplicates } from './refusing-duplicates.ts'
import { IN_WORKSPACE, SCIM_ACTOR, type ScimContext, type ScimDeps } from './scim-context.ts'
import { badRequest, lastAdmin, noResource } from './scim-refused.ts'
import { toUserId } from './to-user-id.ts'

/** Creates a group with its members. */
export async function createGroup(
  deps: ScimDeps,
  { author }: ScimContext,
  change: GroupChange & { readonly displayName: string },
): Promise<StoredGroup> {
  return refusingDuplicates(() =>
    writeWorkspace(deps, author, async ({ now, tx }) => {
      if ((await countGroups(tx)) >= GROUPS_MAX)
        throw badRequest('tooMany', `SCIM manages at most ${GROUPS_MAX} groups.`)
      const group: StoredGroup = {
        id: deps.newId(),
        display_name: change.displayName,
        external_id: change.externalId ?? null,
        created_at: now,
        updated_at: now,
      }
      const places = await findMappedPlaces(tx, namesOf(group))
      await insertGroup(tx, group)
      const moved = await moveMembers(tx, group.id, change)
      if (places.any) await putWaiting(tx, [...moved.added, ...moved.removed])
      const audit = groupAudit(
        { action: 'create', id: group.id },
        { before: null, after: { ...shown(group), members: toCounts(moved) } },
      )
      return { result: group, audit, changesAccess: false }
    }),
  )
}

/** Changes a group and its members. Nothing is stored when nothing changes. */
export async function changeGroup(
  deps: ScimDeps,
  { author }: ScimContext,
  { change, id }: { readonly id: string; readonly change: GroupChange },
): Promise<StoredGroup> {
  return refusingDuplicates(() =>
    writeWorkspace(deps, author, async ({ now, tx }) => {
      const before = await lockGroup(tx, id)
      if (!before) throw noResource('group', id)
      const { displayName = before.display_name, externalId = before.external_id } = change
      const after = { ...before, display_name: displayName, external_id: externalId, updated_at: now }
      const places = await findMappedPlaces(tx, [...namesOf(before), ...namesOf(after)])
      if (places.admin) await lockAdmins(tx)
      const moved = await moveMembers(tx, id, change)
      const isRenamed = namesOf(before).join('\n') !== namesOf(after).join('\n')
      if (!isRenamed && moved.added.length + moved.removed.length === 0)
        return { result: before, audit: [], changesAccess: false }
      await updateGroup(tx, after)
      if (places.any)
        await putWaiting(tx, isRenamed ? await everyone(tx, id, moved) : [...moved.added, ...moved.removed])
      if (places.admin && !(await keepsAnAdmin(tx))) throw lastAdmin('demote')
      const audit = groupAudit(
        { action: 'update', id },
        { before: shown(before), after: { ...shown(after), members: toCounts(moved) } },
      )
      return { result: after, audit, changesAccess: false }
    }),
  )
}

/** Deletes a group. Its members lose what it gave. */
export async function deleteGroup(deps: ScimDeps, { author }: ScimContext, id: string): Promise<void> {
  await writeWorkspace(deps, author, async ({ tx }) => {
    const before = await lockGroup(tx, id)
    if (!before) throw noResource('group', id)
    const places = await findMappedPlaces(tx, namesOf(before))
    if (places.admin) await lockAdmins(tx)
    const removed = await removeMembers(tx, id, { kept: [] })
    await deleteGroupRow(tx, id)
    if (places.any) await putWaiting(tx, removed)
    if (places.admin && !(await keepsAnAdmin(tx))) throw lastAdmin('demote')
    const audit = groupAudit(
      { action: 'delete', id },
      { before: { ...shown(before), members: toCounts({ added: [], removed }) }, after: null },
    )
    return { result: undefined, audit, changesAccess: false }
  })
}

interface Moved {
  readonly added: readonly number[]
  readonly removed: readonly number[]
}

/** Adds and removes members. Refuses users that SCIM does not manage. */
async function moveMembers(
  tx: Transaction<Database>,
  id: string,
  { added, removed, replacesMembers }: GroupChange,
): Promise<Moved> {
  const wanted = await requireUsers(tx, added)
  const gone = await removeMembers(
    tx,
    id,
    replacesMembers ? { kept: wanted } : { removed: [...removed].flatMap(toUserId) },
  )
  const came = await addMembers(tx, id, wanted)
  if (came.length > 0 && (await countMembers(tx, id)) > GROUP_MEMBERS_MAX)
    throw badRequest(
      'tooMany',
      `A group may have at most ${GROUP_MEMBERS_MAX} members. Split it at the provider.`,
    )
  return { added: came, removed: gone }
}

async function requireUsers(tx: Transaction<Database>, ids: ReadonlySet<string>): Promise<readonly number[]> {
  const found = await findManagedIds(tx, [...ids].flatMap(toUserId))
  if (found.length === ids.size) return found
  const known = new Set(found.map(String))
  const unknown = [...ids].filter((id) => !known.has(id)).slice(0, UNKNOWN_SHOWN)
  throw badRequest(
    'invalidValue',
    `These members are not managed by SCIM: ${unknown.join(', ')}. Create them first; groups cannot be members.`,
  )
}
const UNKNOWN_SHOWN = 5

/** Notes that people are to be given the roles of their groups. */
async function putWaiting(tx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await countGroupChange(tx, ids)
  await putPeople(tx, { ids, requested_by: SCIM_ACTOR })
}

async function everyone(
  tx: Transaction<Database>,
  id: string,
  { removed }: Moved,
): Promise<readonly number[]> {
  const members = (await findMembers(tx, [id])).get(id) ?? []
  return [...members.map(({ user_id }) => user_id), ...removed]
}

const namesOf = ({ display_name, external_id }: Pick<StoredGroup, 'display_name' | 'external_id'>) => [
  display_name,
  external_id,
]

const shown = ({ display_name, external_id }: StoredGroup) => ({ display_name, external_id })

/** The ids of members in an audit entry. */
const MEMBERS_SHOWN = 100

const toCounts = ({ added, removed }: Moved) => ({
  added: added.length,
  removed: removed.length,
  addedIds: added.slice(0, MEMBERS_SHOWN),
  removedIds: removed.slice(0, MEMBERS_SHOWN),
})

function groupAudit(
  { action, id }: { readonly action: WorkspaceAudit['action']; readonly id: string },
  change: Pick<WorkspaceAudit, 'before' | 'after'>,
): WorkspaceAudit {
  return {
    ...IN_WORKSPACE,
    ...change,
    action,
    metadata: { origin: 'direct', resource: `scim_group:${id}`, by: 'scim' },
  }
}
