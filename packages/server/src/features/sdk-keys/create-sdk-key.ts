import type { CreatedSdkKey, SdkKeyInput } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { bumpAccessRevision, recordAudit } from '../../changes/index.ts'
import { type Actor, actorName } from '../../kernel/actor.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findEnvironmentName } from '../environments/index.ts'
import { insertSdkKey } from './insert-sdk-key.ts'
import { requireKeyReach } from './key-reach.ts'

export interface SdkKeyDeps {
  readonly db: Kysely<Database>
  readonly bus: Bus
  readonly clock: Clock
  /** Acts on this instance at once: a revoked key is refused, its streams end. */
  readonly onAccessChanged: () => void
}

/**
 * Creates a key. Refuses with `forbidden` when a key names an environment that is not its own, and with `invalid` when the
 * environment is none of the project's.
 */
export async function createSdkKey(
  { bus, clock, db, onAccessChanged }: SdkKeyDeps,
  actor: Actor,
  { input, project_id }: { readonly project_id: string; readonly input: SdkKeyInput },
): Promise<CreatedSdkKey> {
  const environment_id = input.environment_id.toLowerCase()
  requireKeyReach(actor, environment_id)
  const now = clock.now().toISOString()
  const created = await db.transaction().execute(async (tx) => {
    const environment_name = await findEnvironmentName(tx, { project_id, environment_id })
    if (environment_name === undefined) throw unknownEnvironment()
    const { kind = 'server', name } = input
    const environment = { id: environment_id, name: environment_name }
    const { key, ...shown } = await insertSdkKey(tx, { project_id, environment, name, kind, now })
    await recordAudit(tx, {
      project_id,
      environment_id,
      actor_email: actorName(actor),
      now,
      action: 'create',
      flag_key: '',
      before: null,
      after: shown,
      metadata: { origin: 'direct', resource: `sdk_key:${shown.id}` },
    })
    await bumpAccessRevision(tx)
    return { ...shown, key }
  })
  bus.publish({ kind: 'revocations' })
  onAccessChanged()
  return created
}

const unknownEnvironment = () =>
  invalid([{ path: '/environment_id', message: 'must be an environment of this project' }])
