export { memberHandlers } from './handlers.ts'
export { memberExists } from './queries.ts'
