import type { Impact, ImpactInput } from '@burgee/contract'
import { createKeyedQueue } from '../../platform/keyed-queue.ts'
import { findImpact, type ImpactDeps, type ImpactPlace } from './find-impact.ts'

/** Computes the impact of changes (`findImpact`), after the computations before it. */
export type ComputeImpact = (place: ImpactPlace, input: ImpactInput) => Promise<Impact>

/** An instance computes one at a time: each reads an environment and evaluates thousands of users. */
const ONE_AT_A_TIME = 'impact'

export function createComputeImpact(deps: ImpactDeps): ComputeImpact {
  const queue = createKeyedQueue()
  return (place, input) => queue.run(ONE_AT_A_TIME, () => findImpact(deps, place, input))
}
