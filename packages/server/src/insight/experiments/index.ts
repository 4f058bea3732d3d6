export { experimentHandlers } from './handlers.ts'
