export { invariantHandlers } from './handlers.ts'
export { invariantExists } from './queries.ts'
