export { unknownFlagHandlers } from './handlers.ts'
export { pruneUnknownFlags, unknownFlagExists } from './queries.ts'
