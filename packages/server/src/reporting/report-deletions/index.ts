export { continueDeletions } from './continue-deletions.ts'
export { reportHandlers } from './handlers.ts'
