import type { Transaction } from 'kysely'
import { writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { conflict, notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { setFactorsReset } from '../../structure/users/index.ts'
import { type FactorDeps, storeRecoveryCodes } from './enroll.ts'
import { factorAudit } from './factor-audit.ts'
import { readFactorState } from './policy-queries.ts'
import { countFactors, deleteFactors, deleteTotp, lockAccount, replaceRecoveryCodes } from './queries.ts'

/**
 * Removes the actor's authenticator app; without effect when there is none. Refuses with `conflict` when it
 * is the last factor and the workspace requires one.
 */
export async function removeTotp(deps: FactorDeps, actor: UserActor): Promise<void> {
  const { user_id } = actor
  await writeWorkspace(deps, actor, async ({ tx }) => {
    await lockAccount(tx, user_id)
    const isRemoved = await deleteTotp(tx, user_id)
    if (isRemoved) await settleRemoval(tx, user_id)
    return {
      result: undefined,
      audit: isRemoved ? factorAudit(user_id, { second_factor: 'totp', change: 'removed' }) : [],
      changesAccess: false,
    }
  })
}

/** Deletes the recovery codes after the last factor, which must stay where the workspace requires one. */
export async function settleRemoval(tx: Transaction<Database>, user_id: number): Promise<void> {
  const { passkeys, totp } = await countFactors(tx, user_id)
  if (totp + passkeys > 0) return
  const { is_required } = await readFactorState(tx, user_id)
  if (is_required) {
    throw conflict('The workspace requires a second factor, and this is the last one. Add another one first.')
  }
  await replaceRecoveryCodes(tx, user_id, [])
}

/** Replaces the actor's recovery codes. Refuses with `conflict` when the account has no second factor. */
export async function renewRecoveryCodes(deps: FactorDeps, actor: UserActor): Promise<readonly string[]> {
  const { user_id } = actor
  return writeWorkspace(deps, actor, async ({ tx }) => {
    await lockAccount(tx, user_id)
    const { passkeys, totp } = await countFactors(tx, user_id)
    if (totp + passkeys === 0) {
      throw conflict('This account has no second factor. Add an authenticator app or a passkey first.')
    }
    return {
      result: await storeRecoveryCodes(tx, deps, user_id),
      audit: factorAudit(user_id, { second_factor: 'recovery_codes', change: 'renewed' }),
      changesAccess: false,
    }
  })
}

/**
 * Removes all factors of a user, for an admin. The user is notified with the next login. Returns whether
 * there was any. Refuses with `not_found`.
 */
export async function resetFactors(
  deps: FactorDeps,
  actor: UserActor,
  { id }: { readonly id: number },
): Promise<boolean> {
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    if (!(await lockAccount(tx, id))) throw notFound('user')
    const { passkeys, totp } = await countFactors(tx, id)
    await deleteFactors(tx, id)
    const hadFactors = totp + passkeys > 0
    if (hadFactors) await setFactorsReset(tx, id, now)
    return {
      result: hadFactors,
      audit: factorAudit(id, { second_factor: 'all', change: 'reset' }),
      // Where a second factor is required, the user's sessions can only add one from now on.
      changesAccess: true,
    }
  })
}
