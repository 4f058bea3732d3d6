import type { evaluateEndpoints } from '@burgee/contract'
import { actorIdentity } from '../../kernel/actor.ts'
import { readerOf } from '../../kernel/require-readable.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import type { ComputeImpact } from './compute-impact.ts'

export function impactHandlers(
  computeImpact: ComputeImpact,
): Pick<EndpointHandlers<typeof evaluateEndpoints>, 'findImpact'> {
  return {
    async findImpact({ actor, body, scope }) {
      const place = { reader: readerOf(actor, scope), environment_id: scope.environment.id }
      return { status: 200, body: await computeImpact(actorIdentity(actor), place, body) }
    },
  }
}
