export { streamHandlers } from './handlers.ts'
export { createLiveFlags, type LiveFlags } from './live-flags.ts'
