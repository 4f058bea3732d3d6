export { impactHandlers } from './handlers.ts'
export { readCompared } from './read-change.ts'
