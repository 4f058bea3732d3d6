import {
  INTEGRATION_DELIVERIES_MAX,
  type IntegrationDelivery,
  type integrationEndpoints,
} from '@burgee/contract'
import type { EndpointHandlers } from '../../../platform/replies/endpoint-handler.ts'
import type { ReceiverDeps } from '../receiver.ts'
import { placeOf, receiverHandlers } from '../receiver-handlers.ts'
import { CHAT } from './chat.ts'
import { type TestDeps, testChat } from './test-chat.ts'

export function integrationHandlers(
  deps: ReceiverDeps & TestDeps,
): EndpointHandlers<typeof integrationEndpoints> {
  const chats = receiverHandlers(CHAT, deps)
  return {
    listIntegrations: chats.list,
    getIntegration: chats.get,
    createIntegration: chats.create,
    updateIntegration: chats.update,
    deleteIntegration: chats.remove,
    listIntegrationDeliveries: (request) =>
      chats.listDeliveries<IntegrationDelivery>(request, INTEGRATION_DELIVERIES_MAX),
    async testIntegration({ actor, body, params, scope }) {
      const input = { place: placeOf(scope), id: params.id, type: body.event ?? 'flag.updated' }
      return { status: 200, body: await testChat(deps, actor, input) }
    },
  }
}
