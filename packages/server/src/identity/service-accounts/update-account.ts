import type { ServiceAccount, ServiceAccountPatch, UpdatedServiceAccount } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { NO_TOKENS } from '../../kernel/ended-tokens.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { changeUser } from '../../structure/users/index.ts'
import { deleteUserTokens } from '../access-tokens/index.ts'
import { withUniqueName } from './create-account.ts'
import { lockAccount } from './queries.ts'
import { accountResource, actorOf, toAuditedAccount } from './service-account.ts'

export interface UpdateAccountDeps extends WorkspaceWriteDeps {
  /** Withdraws the account's pending scheduled changes, or only counts them. */
  readonly settleSchedules: (
    actor: UserActor,
    author: string,
    wanted: 'keep' | 'cancel',
  ) => Promise<{ readonly kept: number; readonly cancelled: number }>
  /** Gives what an author has scheduled or requested, and what is still pending, their new name. */
  readonly renameAuthor: (
    tx: Transaction<Database>,
    author: { readonly id: number; readonly before: string; readonly after: string },
  ) => Promise<void>
}

interface Update {
  readonly id: number
  readonly patch: ServiceAccountPatch
}

/**
 * Renames, disables or enables a service account. Disabling revokes its tokens and ends its streams on all
 * instances; its scheduled changes are withdrawn afterwards where the patch wants it, each by itself. Refuses
 * with `not_found`, with `conflict` when another account has the name, and with `invalid` for a choice about
 * schedules without disabling.
 */
export async function updateAccount(
  deps: UpdateAccountDeps,
  actor: UserActor,
  { id, patch }: Update,
): Promise<UpdatedServiceAccount> {
  const { is_disabled, schedules } = patch
  if (schedules !== undefined && is_disabled !== true)
    throw invalid([{ path: '/schedules', message: 'needs is_disabled: true in the same request' }])
  const account = await withUniqueName(() => write(deps, actor, { id, patch }))
  if (is_disabled !== true) return account
  return { ...account, schedules: await deps.settleSchedules(actor, account.actor, schedules ?? 'keep') }
}

async function write(
  deps: UpdateAccountDeps,
  actor: UserActor,
  { id, patch }: Update,
): Promise<ServiceAccount> {
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    const before = await lockAccount(tx, id)
    if (!before) throw notFound('service account')
    const { is_disabled = before.disabled_at !== null, name = before.name } = patch
    const disabled_at = is_disabled ? (before.disabled_at ?? now) : null
    await changeUser(tx, id, { name, email: actorOf(name), disabled_at })
    const ended = is_disabled ? await deleteUserTokens(tx, id) : NO_TOKENS
    const after = await lockAccount(tx, id)
    if (!after) throw notFound('service account')
    if (after.actor !== before.actor)
      await deps.renameAuthor(tx, { id, before: before.actor, after: after.actor })
    return {
      result: after,
      audit: {
        project_id: null,
        environment_id: null,
        action: 'update',
        before: toAuditedAccount(before),
        after: toAuditedAccount(after),
        metadata: {
          origin: 'direct',
          resource: accountResource(id),
          ...(patch.is_disabled === true && ended),
        },
      },
      changesAccess: is_disabled,
    }
  })
}
