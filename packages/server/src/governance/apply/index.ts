export { applyHandlers } from './handlers.ts'
