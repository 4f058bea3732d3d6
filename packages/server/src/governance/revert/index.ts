export { revertHandlers } from './handlers.ts'
export { incidentHandlers } from './incident-handlers.ts'
