import { writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { deleteReceiverRow, lockReceiver } from './queries.ts'
import {
  type EnvironmentPlace,
  type ReceiverDeps,
  type ReceiverKind,
  receiverAudit,
  type StoredReceiver,
} from './receiver.ts'

/** Deletes a receiver with its log and its pending deliveries. Refuses with `not_found`. */
export async function deleteReceiver<Stored extends StoredReceiver, Shown extends object, Input, Patch>(
  kind: ReceiverKind<Stored, Shown, Input, Patch>,
  deps: ReceiverDeps,
  actor: Actor,
  { id, place }: { readonly place: EnvironmentPlace; readonly id: string },
): Promise<void> {
  const { environment_id, project_id } = place
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockReceiver<Stored>(tx, kind.tables, { environment_id, id })
    if (!before) throw notFound(kind.noun)
    await deleteReceiverRow(tx, kind.tables, id)
    return {
      result: undefined,
      audit: receiverAudit(kind, { project_id, action: 'delete', before, after: null }),
      changesAccess: false,
    }
  })
}
