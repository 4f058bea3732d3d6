import type { PasswordChange, Warning } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { type EndedTokens, NO_TOKENS } from '../../kernel/ended-tokens.ts'
import { Refusal, unavailable } from '../../kernel/refusal.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { Database } from '../../platform/db/tables.ts'
import { changeUserIf } from '../../structure/users/index.ts'
import { assessPassword, type PasswordRules } from '../accounts/index.ts'
import { endLinks } from '../link-rows/index.ts'
import type { KnownDevice, KnownDevices } from '../passwords/index.ts'
import { type OpenedAccount, type PasswordCheckDeps, verifyPassword } from '../passwords/index.ts'
import type { Sessions } from './sessions.ts'

export interface ChangePasswordDeps extends PasswordCheckDeps, WorkspaceWriteDeps {
  readonly sessions: Sessions
  readonly knownDevices: KnownDevices
  readonly passwordRules: PasswordRules
  /** Revokes the user's tokens, except the one that the actor uses. Returns what the audit entry states. */
  readonly revokeOtherTokens: (
    tx: Transaction<Database>,
    user_id: number,
    actor: UserActor,
  ) => Promise<EndedTokens>
}

interface PasswordChangeRequest {
  readonly address: string
  readonly change: PasswordChange
  /** The accounts that the actor's browser is known for. */
  readonly devices: readonly KnownDevice[]
}

interface ChangedPassword {
  readonly warnings: readonly Warning[]
  /** The Set-Cookie header that keeps the actor's browser known. */
  readonly cookie: string
}

/**
 * Changes the actor's own password, and ends their other sessions and, unless the input keeps them, their
 * other tokens. Refuses with `invalid` for a new password of more than 1,024 bytes or one that the policy
 * forbids, with `forbidden` for a wrong current one, which counts like a failed login, and with `too_many`
 * while the account is locked.
 */
export async function changePassword(
  deps: ChangePasswordDeps,
  actor: UserActor,
  { address, change, devices }: PasswordChangeRequest,
): Promise<ChangedPassword> {
  const { current_password, new_password, password_policy, revoke_tokens = true } = change
  const warnings = assessPassword(new_password, {
    path: '/new_password',
    rules: deps.passwordRules,
    policy: password_policy,
  })
  const attempt = { address, email: actor.email, password: current_password, devices }
  const verdict = await verifyPassword(deps, attempt, (account) =>
    replace(deps, actor, { account, address, devices, newPassword: new_password, revoke_tokens }),
  )
  if (verdict.kind === 'right') return { warnings, cookie: verdict.result }
  const { attempts_remaining } = verdict
  throw new Refusal('forbidden', 'The current password is wrong.', { attempts_remaining })
}

interface NewPassword extends Omit<PasswordChangeRequest, 'change'> {
  readonly account: OpenedAccount
  readonly newPassword: string
  readonly revoke_tokens: boolean
}

async function replace(
  deps: ChangePasswordDeps,
  actor: UserActor,
  { account, address, devices, newPassword, revoke_tokens }: NewPassword,
): Promise<string> {
  const { settle, user } = account
  const newHash = await deps.passwords.hash(newPassword, countedNetwork(address))
  await writeWorkspace(deps, actor, async ({ tx }) => {
    await settle(tx)
    const replaced = await changeUserIf(
      tx,
      actor.user_id,
      { password_hash: newHash },
      { password_hash: user.password_hash },
    )
    if (!replaced) throw unavailable('The account has just changed. Try again.')
    await endLinks(tx, actor.user_id)
    await deps.sessions.endOthers(tx, actor.user_id, actor)
    const ended = revoke_tokens ? await deps.revokeOtherTokens(tx, actor.user_id, actor) : NO_TOKENS
    return {
      result: undefined,
      audit: {
        project_id: null,
        environment_id: null,
        action: 'update',
        before: null,
        after: null,
        metadata: {
          origin: 'direct',
          resource: `user:${actor.user_id}`,
          password: 'changed',
          ...ended,
        },
      },
      changesAccess: true,
    }
  })
  const passwordVersion = user.password_version + 1
  return deps.knownDevices.remember(devices, { userId: user.id, passwordVersion })
}
