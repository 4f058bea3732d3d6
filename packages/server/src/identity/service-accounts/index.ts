export { serviceAccountHandlers } from './handlers.ts'
export { serviceAccountExists } from './queries.ts'
