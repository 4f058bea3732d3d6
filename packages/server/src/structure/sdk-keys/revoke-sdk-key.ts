import { type WorkspaceAudit, type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { type KeyManager, requireKeyReach } from './key-reach.ts'
import { deleteSdkKeys, type LockedSdkKey, lockSdkKeys, replaceParent } from './queries.ts'

interface Revocation {
  readonly id: number
  /** True when the keys that were created with it, and with those, are revoked too. */
  readonly children: boolean
}

/**
 * Revokes a key immediately on all instances, alone or with all that were created with it, in one
 * transaction. Refuses with `not_found`, with `forbidden` when a key names one of another environment, and
 * with `invalid` when no key of the project would be left: of two that are revoked at the same time one
 * stays.
 */
export async function revokeSdkKey(
  deps: WorkspaceWriteDeps,
  manager: KeyManager,
  { children, id }: Revocation,
): Promise<void> {
  const { project_id } = manager.scope
  await writeWorkspace(deps, manager.actor, async ({ tx }) => {
    const keys = await lockSdkKeys(tx, project_id)
    const key = keys.find((candidate) => candidate.id === id)
    if (!key) throw notFound('SDK key')
    const revoked = children ? withDescendants(keys, key) : [key]
    for (const each of revoked) requireKeyReach(manager, each.environment_id)
    if (revoked.length === keys.length) throw lastKey(revoked.length)
    await deleteSdkKeys(
      tx,
      revoked.map((each) => each.id),
    )
    // Its children move to the key that created it.
    if (!children && key.parent_id !== null) await replaceParent(tx, id, key.parent_id)
    return {
      result: undefined,
      audit: revoked.map((each) => auditOf(each, { project_id, becauseOf: each === key ? null : id })),
      changesAccess: true,
    }
  })
}

/** Returns a key followed by its descendants. Ids grow, so a parent comes before its children. */
function withDescendants(keys: readonly LockedSdkKey[], root: LockedSdkKey): LockedSdkKey[] {
  const ids = new Set([root.id])
  return keys.filter(({ id, parent_id }) => {
    if (parent_id !== null && ids.has(parent_id)) ids.add(id)
    return ids.has(id)
  })
}

const lastKey = (count: number) =>
  invalid([
    {
      path: '',
      message:
        count === 1
          ? 'The last SDK key of a project cannot be revoked.'
          : 'These are all SDK keys of the project, and the last one cannot be revoked. Create another one first.',
    },
  ])

function auditOf(
  key: LockedSdkKey,
  { becauseOf, project_id }: { readonly project_id: string; readonly becauseOf: number | null },
): WorkspaceAudit {
  return {
    project_id,
    environment_id: key.environment_id,
    action: 'delete',
    before: key,
    after: null,
    metadata: {
      origin: 'direct',
      resource: `sdk_key:${key.id}`,
      ...(becauseOf !== null && { revoked_with: `sdk_key:${becauseOf}` }),
    },
  }
}
