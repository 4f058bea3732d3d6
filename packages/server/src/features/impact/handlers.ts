import type { evaluateEndpoints } from '@burgee/contract'
import type { EndpointHandlers } from '../../platform/endpoint-handler.ts'
import { createKeyedQueue } from '../../platform/keyed-queue.ts'
import { findImpact, type ImpactDeps } from './find-impact.ts'

/** One computation runs at a time: it reads an environment and evaluates thousands of users. */
const ONE_AT_A_TIME = 'impact'

export function impactHandlers(
  deps: ImpactDeps,
): Pick<EndpointHandlers<typeof evaluateEndpoints>, 'findImpact'> {
  const queue = createKeyedQueue()
  return {
    async findImpact({ actor, body, scope }) {
      const place = { reader: { actor, scope }, environment_id: scope.environment.id }
      const impact = await queue.run(ONE_AT_A_TIME, () => findImpact(deps, place, body))
      return { status: 200, body: impact }
    },
  }
}
