import type { Transaction } from 'kysely'
import {
  type WorkspaceAudit,
  type WorkspaceWrite,
  type WorkspaceWriteOutcome,
  writeWorkspace,
} from '../../changes/index.ts'
import type { Database } from '../../platform/db/tables.ts'
import {
  changeUser as changeRow,
  insertUser,
  lockUser,
  toAuditedUser,
  type User,
} from '../../structure/users/index.ts'
import { setDisabledAt } from '../accounts/index.ts'
import { endLinks } from '../link-rows/index.ts'
import { isSameEmail } from '../single-sign-on/index.ts'
import { USERS_MAX } from './limits.ts'
import { refusingDuplicates } from './refusing-duplicates.ts'
import { IN_WORKSPACE, type ScimContext, type ScimDeps } from './scim-context.ts'
import { badRequest, lastAdmin, noResource, notUnique } from './scim-refused.ts'
import { adoptsAccounts } from './settings-queries.ts'
import { accountName, emailOf, newEmailOf, type UserDraft } from './user-draft.ts'
import {
  countManaged,
  type FoundAccount,
  findAccountToAdopt,
  findEarlierDisabling,
  findManaged,
  hasSomethingToLose,
  insertManaged,
  type ManagedUser,
  updateManaged,
} from './user-queries.ts'

/**
 * Creates an account without a password, or takes over the one with the same e-mail address where that is
 * allowed. Refuses with `uniqueness` otherwise.
 */
export async function createUser(
  deps: ScimDeps,
  { author }: ScimContext,
  draft: UserDraft,
): Promise<ManagedUser> {
  const email = emailOf(draft)
  return refusingDuplicates(() =>
    writeWorkspace(deps, author, async (write) => {
      const { now, tx } = write
      if ((await countManaged(tx)) >= USERS_MAX)
        throw badRequest('tooMany', `SCIM manages at most ${USERS_MAX} accounts.`)
      const known = await findAccountToAdopt(tx, email)
      if (known) await requireAdoptable(tx, known, draft)
      const user =
        known ??
        (await insertUser(tx, {
          email: newEmailOf(draft),
          name: accountName(draft),
          ...{ role: 'viewer', password_hash: null, now },
        }))
      await insertManaged(tx, {
        user_id: user.id,
        draft,
        disabled_at: await findEarlierDisabling(tx, user.id),
        now,
      })
      return settle(deps, write, { id: user.id, draft, action: known ? 'update' : 'create' })
    }),
  )
}

/** Changes an account that SCIM manages. Nothing is stored when nothing changes. */
export async function changeUser(
  deps: ScimDeps,
  { author }: ScimContext,
  { change, id }: { readonly id: number; readonly change: (draft: UserDraft) => UserDraft },
): Promise<ManagedUser> {
  return refusingDuplicates(() =>
    writeWorkspace(deps, author, async (write) => {
      const { now, tx } = write
      // Its row is locked first, so that two changes of one account follow each other.
      if (!(await lockUser(tx, id))) throw noResource('user', String(id))
      const before = await requireManaged(tx, id)
      const current = toDraft(before)
      const draft = change(current)
      if (JSON.stringify(draft) === JSON.stringify(current))
        return { result: before, audit: [], changesAccess: false }
      await updateManaged(tx, { user_id: id, draft, disabled_at: before.scim_disabled_at, now })
      return settle(deps, write, { id, draft, before, action: 'update' })
    }),
  )
}

function toDraft({ disabled_at, external_id, profile, user_name }: ManagedUser): UserDraft {
  return { userName: user_name, externalId: external_id, active: disabled_at === null, profile }
}

interface Settled {
  readonly id: number
  readonly draft: UserDraft
  /** The person before the change; absent for a new one. */
  readonly before?: ManagedUser
  readonly action: WorkspaceAudit['action']
}

/** Gives the account the name, the address and the state of the draft. */
async function settle(
  deps: ScimDeps,
  write: WorkspaceWrite,
  { action, before, draft, id }: Settled,
): Promise<WorkspaceWriteOutcome<ManagedUser>> {
  const { tx } = write
  const locked = await lockUser(tx, id)
  if (!locked) throw noResource('user', String(id))
  const { otherAdmins, user } = locked
  if (!draft.active && user.disabled_at === null && user.role === 'admin' && otherAdmins === 0)
    throw lastAdmin('disable')
  await rename(deps, write, user, { draft, ...(before && { current: toDraft(before) }) })
  const ended = await setState(deps, write, { user, draft })
  const after = await requireManaged(tx, id)
  const shown = {
    before: action === 'create' ? null : { ...toAuditedUser(user), ...(before && linkOf(before)) },
    after: { ...toAuditedUser({ ...user, ...stateOf(after) }), ...linkOf(after) },
  }
  const metadata = { origin: 'direct', resource: `user:${id}`, by: 'scim', ...ended } as const
  const isChanged = JSON.stringify(shown.before) !== JSON.stringify(shown.after)
  return {
    result: after,
    audit: isChanged ? { ...IN_WORKSPACE, ...shown, action, metadata } : [],
    changesAccess: user.disabled_at !== after.disabled_at || user.email !== after.email,
  }
}

const linkOf = ({ external_id, user_name }: ManagedUser) => ({ user_name, external_id })
const stateOf = ({ disabled_at, email, name }: ManagedUser) => ({ disabled_at, email, name })

/** Changes name and address where the provider has changed them. What a person has set here stays. */
async function rename(
  { renameAuthor }: ScimDeps,
  { now, tx }: WorkspaceWrite,
  user: User,
  { current, draft }: { readonly current?: UserDraft; readonly draft: UserDraft },
): Promise<void> {
  const name = current && accountName(current) === accountName(draft) ? user.name : accountName(draft)
  const email = current && emailOf(current) === emailOf(draft) ? user.email : newEmailOf(draft, user.email)
  if (name === user.name && email === user.email) return
  const isMoved = !isSameEmail(email, user.email)
  // An admin who leaves is disabled, also where the provider sends another address.
  if (isMoved && user.role === 'admin' && !draft.active) return
  if (isMoved && user.role === 'admin')
    throw badRequest(
      'mutability',
      'SCIM does not change the e-mail address of a workspace admin. A workspace admin can take the role away in Burgee, and give it back after the change.',
    )
  await endLinks(tx, user.id, { keepSentTo: email })
  const isUnconfirmed = isMoved && (await hasSomethingToLose(tx, user.id))
  // Violates `users_email_key` when another account has the address.
  await changeRow(tx, user.id, { name, email, ...(isUnconfirmed && { email_unconfirmed_since: now }) })
  if (email !== user.email) await renameAuthor(tx, { id: user.id, before: user.email, after: email })
}

/** Disables or enables the account. SCIM enables only what it has disabled. */
async function setState(
  { deleteTokens, endSessions }: ScimDeps,
  { now, tx }: WorkspaceWrite,
  { draft, user }: { readonly user: User; readonly draft: UserDraft },
): Promise<object> {
  const { id } = user
  if (draft.active) {
    const before = await requireManaged(tx, id)
    if (user.disabled_at === null || before.scim_disabled_at !== user.disabled_at) return {}
    await setDisabledAt(tx, id, null)
    await updateManaged(tx, { user_id: id, draft, disabled_at: null, now })
    return {}
  }
  if (user.disabled_at !== null) return {}
  await setDisabledAt(tx, id, now)
  await updateManaged(tx, { user_id: id, draft, disabled_at: now, now })
  return { sessions_ended: await endSessions(tx, id), ...(await deleteTokens(tx, id)) }
}

/** Refuses to take over an account whose person can sign in without the provider, unless that is allowed. */
async function requireAdoptable(
  tx: Transaction<Database>,
  { deleted, email, has_credential, role }: FoundAccount,
  draft: UserDraft,
): Promise<void> {
  // The database folds more letters than those of ASCII, so that two addresses may meet there.
  if (!isSameEmail(email, emailOf(draft)))
    throw notUnique('An account has an e-mail address that the database does not distinguish from this one.')
  if (deleted !== null && deleted.external_id !== draft.externalId)
    throw notUnique(
      'An account with this e-mail address was deleted by SCIM with another externalId. If it is another person, delete the account in Burgee first.',
    )
  if (deleted !== null || !has_credential) return
  if (role === 'admin')
    throw notUnique(
      'A workspace admin who can sign in without the identity provider has this e-mail address. SCIM does not take over such an account.',
    )
  if (await adoptsAccounts(tx)) return
  throw notUnique(
    'An account that was not made by SCIM or single sign-on has this e-mail address. An admin can let SCIM take over such accounts: Workspace, Single sign-on, SCIM.',
  )
}

export async function requireManaged(tx: Transaction<Database>, id: number): Promise<ManagedUser> {
  const user = await findManaged(tx, id)
  if (!user) throw noResource('user', String(id))
  return user
}
