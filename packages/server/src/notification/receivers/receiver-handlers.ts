import type { IntegrationDelivery, WebhookDelivery } from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { withWarnings } from '../../kernel/with-warnings.ts'
import { rowExists } from '../../platform/db/row-exists.ts'
import { createReceiver } from './create-receiver.ts'
import { deleteReceiver } from './delete-receiver.ts'
import { listDeliveries } from './log-queries.ts'
import { findReceiver, listReceivers } from './queries.ts'
import type { EnvironmentPlace, ReceiverDeps, ReceiverKind, StoredReceiver } from './receiver.ts'
import { updateReceiver } from './update-receiver.ts'

interface Request {
  readonly actor: Actor
  readonly scope: { readonly project_id: string; readonly environment: { readonly id: string } }
}
interface OfOne extends Request {
  readonly params: { readonly id: string }
}

export const placeOf = ({ environment, project_id }: Request['scope']): EnvironmentPlace => ({
  project_id,
  environment_id: environment.id,
})

/** Creates the handlers that both kinds have. Each kind gives them the names of its endpoints. */
export function receiverHandlers<Stored extends StoredReceiver, Shown extends object, Input, Patch>(
  kind: ReceiverKind<Stored, Shown, Input, Patch>,
  deps: ReceiverDeps,
) {
  const { db } = deps
  const { tables } = kind
  return {
    list: async ({ scope }: Request) => {
      const receivers = await listReceivers<Stored>(db, tables, scope.environment.id)
      return { status: 200 as const, body: receivers.map(kind.toShown) }
    },
    get: async ({ params, scope }: OfOne) => {
      const place = { environment_id: scope.environment.id, id: params.id }
      const receiver = await findReceiver<Stored>(db, tables, place)
      if (!receiver) throw notFound(kind.noun)
      return { status: 200 as const, body: kind.toShown(receiver) }
    },
    create: async ({ actor, body, scope }: Request & { readonly body: Input }) => {
      const shown = await createReceiver(kind, deps, actor, { place: placeOf(scope), input: body })
      return { status: 200 as const, body: withWarnings(shown, kind.warningsOf(body)) }
    },
    update: async ({ actor, body, params, scope }: OfOne & { readonly body: Patch }) => {
      const input = { place: placeOf(scope), id: params.id, patch: body }
      const shown = await updateReceiver(kind, deps, actor, input)
      return { status: 200 as const, body: withWarnings(shown, kind.warningsOf(body)) }
    },
    remove: async ({ actor, params, scope }: OfOne) => {
      await deleteReceiver(kind, deps, actor, { place: placeOf(scope), id: params.id })
      return { status: 204 as const, body: null }
    },
    listDeliveries: async <Delivery extends WebhookDelivery | IntegrationDelivery>(
      { params, scope }: OfOne,
      max: number,
    ) => {
      const place = { environment_id: scope.environment.id, id: params.id }
      if (!(await rowExists(db, tables.receivers, place))) throw notFound(kind.noun)
      return { status: 200 as const, body: await listDeliveries<Delivery>(db, tables, params.id, max) }
    },
  }
}
