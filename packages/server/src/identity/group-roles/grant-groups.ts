import type { Transaction } from 'kysely'
import type { WorkspaceAudit } from '../../changes/index.ts'
import type { Database } from '../../platform/db/tables.ts'
import { lockProjectForShare } from '../../structure/environments/index.ts'
import {
  deleteMemberRow,
  insertMemberRow,
  lockMemberships,
  type UserMembership,
  updateMemberRow,
} from '../../structure/members/index.ts'
import { lockRolesForShare } from '../../structure/roles/index.ts'
import { lockUser } from '../../structure/users/index.ts'
import { type Account, findAccount, lockAccount, setWorkspaceRole } from '../accounts/index.ts'
import { type GroupRights, givesNothing } from './group-rights.ts'

/** The rights of an account after its groups were applied. */
export interface Granted {
  readonly account: Account
  /** One entry for each role that was granted, changed or revoked. */
  readonly audit: readonly WorkspaceAudit[]
  /** True when the account has any right now, from a group or from a person. */
  readonly hasRights: boolean
}

/**
 * Grants an account the roles of its groups, and revokes those that came from groups it no longer has. Roles
 * that a person granted stay, also where a group has another one. The last workspace admin stays one. Null
 * when the account has just been deleted.
 */
export async function grantGroups(
  tx: Transaction<Database>,
  { id }: Pick<Account, 'id'>,
  { now, rights }: { readonly rights: GroupRights; readonly now: string },
): Promise<Granted | null> {
  // In the order of all locks: projects, users, and then what belongs to both.
  const projects = new Set<string>()
  for (const project_id of rights.projectRoles.keys())
    if (await lockProjectForShare(tx, project_id)) projects.add(project_id)
  const locked = await lockWithRole(tx, id, rights)
  if (!locked) return null
  const { account, audit } = locked
  const roles = await lockRolesForShare(tx, ['viewer', ...rights.projectRoles.values()])
  const memberships = await lockMemberships(tx, id)
  const write = { tx, account, now }
  const changes = [
    ...(await revokeRoles(write, memberships, rights)),
    ...(await grantRoles(write, memberships, {
      rights,
      isKept: (project_id, role) => projects.has(project_id) && roles.has(role),
    })),
  ]
  const hasRights =
    account.role !== 'viewer' ||
    !givesNothing(rights) ||
    memberships.some(({ source }) => source === 'manual')
  return { account, audit: [...audit, ...changes], hasRights }
}

interface RoleWrite {
  readonly tx: Transaction<Database>
  readonly account: Account
  readonly now: string
}

/** Locks the account, and gives it the role in the workspace that its groups give. */
async function lockWithRole(
  tx: Transaction<Database>,
  id: number,
  { workspaceRole }: GroupRights,
): Promise<{ account: Account; audit: readonly WorkspaceAudit[] } | null> {
  const target = workspaceRole ?? 'viewer'
  const seen = target === 'admin' ? undefined : await findAccount(tx, id)
  const isDemotion = seen?.role === 'admin' && seen.role_source === 'groups'
  // All admins are locked, in the order of their ids, only where their number matters.
  const admins = isDemotion ? await lockUser(tx, id) : undefined
  const before = await lockAccount(tx, id)
  if (!before) return null
  const isManual =
    before.role_source === 'pinned' || (before.role_source === 'manual' && before.role !== 'viewer')
  if (isManual || before.role === target) return { account: before, audit: [] }
  const isLastAdmin = before.role === 'admin' && (admins === undefined || admins.otherAdmins === 0)
  if (isLastAdmin) return { account: before, audit: [] }
  const source = workspaceRole === null ? 'manual' : 'groups'
  await setWorkspaceRole(tx, id, { role: target, source })
  const account: Account = { ...before, role: target, role_source: source }
  const entry: WorkspaceAudit = {
    project_id: null,
    environment_id: null,
    action: 'update',
    before: toShown(before),
    after: toShown(account),
    metadata: { origin: 'direct', resource: `user:${id}`, by: 'groups' },
  }
  return { account, audit: [entry] }
}

const toShown = ({ email, name, role }: Account) => ({ name, email, role })

async function revokeRoles(
  { account, tx }: RoleWrite,
  memberships: readonly UserMembership[],
  { projectRoles }: GroupRights,
): Promise<readonly WorkspaceAudit[]> {
  const audit: WorkspaceAudit[] = []
  for (const { project_id, role, source } of memberships) {
    if (source === 'manual' || projectRoles.has(project_id)) continue
    await deleteMemberRow(tx, { project_id, user_id: account.id })
    audit.push(toEntry(account, project_id, { before: role, after: null }))
  }
  return audit
}

interface RoleGrant {
  readonly rights: GroupRights
  /** Returns whether project and role exist, and stay until the transaction ends. */
  readonly isKept: (project_id: string, role: string) => boolean
}

async function grantRoles(
  { account, now, tx }: RoleWrite,
  memberships: readonly UserMembership[],
  { isKept, rights }: RoleGrant,
): Promise<readonly WorkspaceAudit[]> {
  const audit: WorkspaceAudit[] = []
  for (const [project_id, role] of rights.projectRoles) {
    const stored = memberships.find((membership) => membership.project_id === project_id)
    // Either may have been deleted since the mappings were read.
    if (!isKept(project_id, role)) continue
    if (stored?.source === 'manual' || stored?.role === role) continue
    const membership = { project_id, user_id: account.id }
    if (stored) await updateMemberRow(tx, membership, { role, source: 'groups' })
    else if (!(await insertMemberRow(tx, { ...membership, role, source: 'groups', created_at: now })))
      continue
    audit.push(toEntry(account, project_id, { before: stored?.role ?? null, after: role }))
  }
  return audit
}

interface RoleChange {
  readonly before: string | null
  readonly after: string | null
}

function toEntry(
  { email, id, name }: Account,
  project_id: string,
  { after, before }: RoleChange,
): WorkspaceAudit {
  const member = (role: string | null) => (role === null ? null : { user_id: id, name, email, role })
  return {
    project_id,
    environment_id: null,
    action: before === null ? 'create' : after === null ? 'delete' : 'update',
    before: member(before),
    after: member(after),
    metadata: { origin: 'direct', resource: `member:${id}`, by: 'groups' },
  }
}
