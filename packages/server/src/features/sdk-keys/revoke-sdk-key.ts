import { bumpAccessRevision, recordAudit } from '../../changes/index.ts'
import { type Actor, actorName } from '../../kernel/actor.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import type { SdkKeyDeps } from './create-sdk-key.ts'
import { requireKeyReach } from './key-reach.ts'
import { deleteSdkKey, lockSdkKeys } from './queries.ts'

/**
 * Revokes a key, at once and everywhere. Refuses with `not_found`, with `forbidden` when a key names one of another
 * environment, and with `invalid` for the project's last key: of two revoked at the same time one stays.
 */
export async function revokeSdkKey(
  { bus, clock, db, onAccessChanged }: SdkKeyDeps,
  actor: Actor,
  { id, project_id }: { readonly project_id: string; readonly id: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const keys = await lockSdkKeys(tx, project_id)
    const key = keys.find((candidate) => candidate.id === id)
    if (!key) throw notFound('sdk key')
    requireKeyReach(actor, key.environment_id)
    if (keys.length === 1) {
      throw invalid([{ path: '', message: 'The last SDK key of a project cannot be revoked.' }])
    }
    await deleteSdkKey(tx, id)
    await recordAudit(tx, {
      project_id,
      environment_id: key.environment_id,
      actor_email: actorName(actor),
      now: clock.now().toISOString(),
      action: 'delete',
      flag_key: '',
      before: key,
      after: null,
      metadata: { origin: 'direct', resource: `sdk_key:${id}` },
    })
    await bumpAccessRevision(tx)
  })
  bus.publish({ kind: 'revocations' })
  onAccessChanged()
}
