export { streamHandlers } from './handlers.ts'
export { createLiveFlags, type LiveFlags } from './live-flags.ts'
export { createSnapshotShortcut, SHORTCUT_PATH, type Shortcut } from './snapshot-shortcut.ts'
export { createStreamLimits } from './stream-limits.ts'
