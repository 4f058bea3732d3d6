export { impactHandlers } from './handlers.ts'
