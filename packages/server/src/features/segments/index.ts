export { segmentHandlers } from './handlers.ts'
export { segmentExists } from './queries.ts'
