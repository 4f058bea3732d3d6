export { oneTimeLinkHandlers } from './handlers.ts'
export { pruneLinks } from './queries.ts'
export { createResetRequests } from './request-reset.ts'
