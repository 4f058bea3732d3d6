import type { PastImpact } from '@burgee/contract'
import type { Analyses } from '../../platform/concurrency/analyses.ts'
import { findPastImpacts, type PastImpactDeps, type PastWrite } from './find-past-impacts.ts'

/** Computes the impacts of writes of the past (`findPastImpacts`) for a caller, in turn. */
export type ComputePastImpacts = (
  caller: string,
  writes: readonly PastWrite[],
) => Promise<ReadonlyMap<number, PastImpact>>

export function createComputePastImpacts(
  deps: PastImpactDeps,
  { analyses }: { readonly analyses: Analyses },
): ComputePastImpacts {
  return (caller, writes) => analyses.run(caller, () => findPastImpacts(deps, writes))
}
