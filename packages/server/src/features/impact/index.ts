export { createComputeImpact } from './compute-impact.ts'
export { impactHandlers } from './handlers.ts'
export { createImpactRecorder } from './impact-recorder.ts'
export { readCompared } from './read-change.ts'
