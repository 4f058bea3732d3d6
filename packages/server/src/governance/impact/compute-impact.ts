import type { Impact, ImpactInput } from '@burgee/contract'
import type { Analyses } from '../../platform/concurrency/analyses.ts'
import { findImpact, type ImpactDeps, type ImpactPlace } from './find-impact.ts'

/** Computes the impact of changes (`findImpact`) for a caller, in turn. */
export type ComputeImpact = (caller: string, place: ImpactPlace, input: ImpactInput) => Promise<Impact>

export function createComputeImpact(
  deps: ImpactDeps,
  { analyses }: { readonly analyses: Analyses },
): ComputeImpact {
  return (caller, place, input) => analyses.run(caller, () => findImpact(deps, place, input))
}
