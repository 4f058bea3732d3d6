import type { UserPatch, Warning } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { type EndedTokens, NO_TOKENS } from '../../kernel/ended-tokens.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { PasswordHasher } from '../../platform/crypto/password.ts'
import { rowExists } from '../../platform/db/row-exists.ts'
import type { Database } from '../../platform/db/tables.ts'
import { changeUser, lockUser, toAuditedUser, type User, userResource } from '../../structure/users/index.ts'
import { endLinks } from '../link-rows/index.ts'
import { assessPassword, type PasswordRules } from './assess-password.ts'
import type { UserWrite } from './create-user.ts'

export interface UpdateUserDeps extends WorkspaceWriteDeps {
  readonly passwords: PasswordHasher
  readonly passwordRules: PasswordRules
  /** Ends the user's sessions, except the one that the actor uses. */
  readonly endSessions: (tx: Transaction<Database>, user_id: number, actor: UserActor) => Promise<unknown>
  /** Revokes the user's tokens, except the one that the actor uses. Returns what the audit entry states. */
  readonly revokeOtherTokens: (
    tx: Transaction<Database>,
    user_id: number,
    actor: UserActor,
  ) => Promise<EndedTokens>
}

/**
 * Changes a user's name, workspace role or password. A new password ends their sessions and, unless the patch
 * keeps them, their tokens. Refuses with `not_found`, and with `invalid` for demoting the last admin or for a
 * password of more than 1,024 bytes or one that the policy forbids.
 */
export async function updateUser(
  deps: UpdateUserDeps,
  actor: UserActor,
  { address, id, patch }: { readonly id: number; readonly patch: UserPatch; readonly address: string },
): Promise<UserWrite> {
  const { name, password, role } = patch
  // Before the password is checked: 404 for a missing user comes before 422 (docs/reference/api.md).
  if (!(await rowExists(deps.db, 'users', { id, kind: 'person' }))) throw notFound('user')
  const warnings = password === undefined ? [] : assessNew(deps, password, patch)
  // By name: a body may contain other fields, which are ignored.
  const changes = {
    ...(name !== undefined && { name }),
    ...(role !== undefined && { role }),
    ...(password !== undefined && {
      password_hash: await deps.passwords.hash(password, countedNetwork(address)),
    }),
  }
  const user = await writeWorkspace(deps, actor, async ({ tx }) => {
    const locked = await lockUser(tx, id)
    if (!locked) throw notFound('user')
    requireAnAdmin(locked, patch)
    const isChanged = Object.keys(changes).length > 0
    if (password !== undefined) await endLinks(tx, id)
    const user = isChanged ? await changeUser(tx, id, changes) : locked.user
    // After the row was locked, so that a login that was checked against the old password has stored its
    // session or fails.
    const ended = password === undefined ? {} : await endAccess(deps, tx, { id, actor, patch })
    return {
      result: user,
      audit: {
        project_id: null,
        environment_id: null,
        action: 'update',
        before: toAuditedUser(locked.user),
        after: toAuditedUser(user),
        metadata: { origin: 'direct', resource: userResource(id), ...ended },
      },
      changesAccess: password !== undefined || user.role !== locked.user.role,
    }
  })
  return { user, warnings }
}

interface PasswordReplaced {
  readonly id: number
  readonly actor: UserActor
  readonly patch: UserPatch
}

/** Ends what was opened with the old password. Returns what the audit entry states about it. */
async function endAccess(
  { endSessions, revokeOtherTokens }: UpdateUserDeps,
  tx: Transaction<Database>,
  { actor, id, patch: { revoke_tokens = true } }: PasswordReplaced,
) {
  await endSessions(tx, id, actor)
  const ended = revoke_tokens ? await revokeOtherTokens(tx, id, actor) : NO_TOKENS
  return { password: 'changed', ...ended } as const
}

const assessNew = (
  { passwordRules }: UpdateUserDeps,
  password: string,
  { password_policy }: UserPatch,
): Warning[] => assessPassword(password, { path: '/password', rules: passwordRules, policy: password_policy })

function requireAnAdmin(
  { otherAdmins, user }: { readonly user: User; readonly otherAdmins: number },
  { role }: UserPatch,
): void {
  const isDemoted = user.role === 'admin' && role !== undefined && role !== 'admin'
  if (!isDemoted || otherAdmins > 0) return
  throw invalid([
    { path: '/role', message: 'The last admin cannot be demoted. Make another user admin first.' },
  ])
}
