export { createSnapshotShortcut, SHORTCUT_PATH, type Shortcut } from './answer-snapshot.ts'
export { streamHandlers } from './handlers.ts'
export { createLiveFlags, type LiveFlags } from './live-flags.ts'
export { createStreamLimits } from './stream-limits.ts'
