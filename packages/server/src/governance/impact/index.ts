export type { ComputePastImpacts } from './compute-past-impacts.ts'
export { createImpact, type ImpactParts } from './create-impact.ts'
export { impactHandlers } from './handlers.ts'
export { readCompared } from './read-change.ts'
