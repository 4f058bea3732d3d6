export { experimentHandlers } from './handlers.ts'
export { experimentExists } from './queries.ts'
