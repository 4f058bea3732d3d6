export { oneTimeLinkHandlers } from './handlers.ts'
export { createResetRequests } from './request-reset.ts'
