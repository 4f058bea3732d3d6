export { expandFlag, requireSendable } from './expand-flag.ts'
export { computeWarnings, findWarnings, readForWarnings } from './find-warnings.ts'
export { readFlagTimes, removeFlag, saveFlag, timesOfSaved } from './flag-row-queries.ts'
export { listFlags } from './list-flags.ts'
export { loadWireFlags } from './load-wire-flags.ts'
export { listNumberFlags } from './number-flag-queries.ts'
export {
  countFlagBytes,
  FLAG_COLUMNS,
  type FlagRow,
  findCreationTimes,
  findFlag,
  findFlags,
  findListedFlag,
  findRevision,
  findStoredFlag,
  listActiveFlags,
  listFlagsNamingSegments,
  listManagedKeys,
} from './queries.ts'
