export { createLinkSending } from './create-link-sending.ts'
export { oneTimeLinkHandlers } from './handlers.ts'
