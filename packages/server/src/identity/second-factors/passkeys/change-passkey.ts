import type { Passkey } from '@burgee/contract'
import { writeWorkspace } from '../../../changes/index.ts'
import type { UserActor } from '../../../kernel/actor.ts'
import { notFound } from '../../../kernel/refusal.ts'
import { rowExists } from '../../../platform/db/row-exists.ts'
import type { FactorDeps } from '../enroll.ts'
import { factorAudit } from '../factor-audit.ts'
import { lockAccount } from '../queries.ts'
import { settleRemoval } from '../remove-factors.ts'
import { requireSession } from '../second-factor.ts'
import { deletePasskey, renamePasskeyRow } from './queries.ts'

/**
 * Renames a passkey of the actor's account. Refuses with `not_found`, also for one of another account, and a
 * token with `forbidden`.
 */
export async function renamePasskey(
  deps: FactorDeps,
  actor: UserActor,
  { id, name }: { readonly id: number; readonly name: string },
): Promise<Passkey> {
  const { user_id } = actor
  await requireOwn(deps, actor, id)
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const renamed = await renamePasskeyRow(tx, { id, user_id, name })
    if (!renamed) throw notFound('passkey')
    const { before, passkey } = renamed
    const change = { second_factor: 'passkey', change: 'renamed', name } as const
    const states = { before: { name: before }, after: { name } }
    return { result: passkey, audit: factorAudit(user_id, change, states), changesAccess: false }
  })
}

/**
 * Removes a passkey of the actor's account. Refuses with `not_found`, also for one of another account, a
 * token with `forbidden`, and with `conflict` when it is the last factor and the workspace requires one.
 */
export async function removePasskey(deps: FactorDeps, actor: UserActor, id: number): Promise<void> {
  const { user_id } = actor
  await requireOwn(deps, actor, id)
  await writeWorkspace(deps, actor, async ({ tx }) => {
    await lockAccount(tx, user_id)
    const name = await deletePasskey(tx, { id, user_id })
    if (name === undefined) throw notFound('passkey')
    await settleRemoval(tx, user_id)
    return {
      result: undefined,
      audit: factorAudit(user_id, { second_factor: 'passkey', change: 'removed', name }),
      changesAccess: false,
    }
  })
}

/** Refuses what does not exist before it refuses the credential. */
async function requireOwn({ db }: FactorDeps, actor: UserActor, id: number): Promise<void> {
  if (!(await rowExists(db, 'passkeys', { id, user_id: actor.user_id }))) throw notFound('passkey')
  requireSession(actor)
}
