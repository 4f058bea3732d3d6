export { impressionHandlers } from './handlers.ts'
