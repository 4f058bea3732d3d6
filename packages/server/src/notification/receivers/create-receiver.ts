import { writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { findEnvironmentName } from '../../structure/environments/index.ts'
import { newestWaitingEvent } from '../deliveries/index.ts'
import { insertReceiver } from './queries.ts'
import {
  type EnvironmentPlace,
  type ReceiverDeps,
  type ReceiverKind,
  receiverAudit,
  type StoredReceiver,
} from './receiver.ts'
import { requireRoom } from './require-room.ts'

/**
 * Creates a receiver, which receives events from now on. Refuses with `invalid` an address that must not be
 * reached, and with `conflict` one more than an environment may have.
 */
export async function createReceiver<Stored extends StoredReceiver, Shown extends object, Input, Patch>(
  kind: ReceiverKind<Stored, Shown, Input, Patch>,
  deps: ReceiverDeps,
  actor: Actor,
  { input, place }: { readonly place: EnvironmentPlace; readonly input: Input },
): Promise<Shown> {
  const make = kind.create(deps, input)
  const { environment_id, project_id } = place
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    if ((await findEnvironmentName(tx, place)) === undefined) throw notFound('environment')
    await requireRoom(tx, kind.tables.receivers, environment_id)
    const after = make({ id: deps.newId(), environment_id, created_at: now })
    await insertReceiver(tx, kind.tables, after, await newestWaitingEvent(tx, environment_id))
    return {
      result: kind.toShown(after),
      audit: receiverAudit(kind, { project_id, action: 'create', before: null, after }),
      changesAccess: false,
    }
  })
}
