export { goalEventHandlers } from './handlers.ts'
