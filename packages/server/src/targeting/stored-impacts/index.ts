export { type ImpactOf, limitChangedUsers } from './limit-changed-users.ts'
export { findStoredImpact, storedImpactBytes, storedImpactOf, storeImpact } from './queries.ts'
export { cutImpact, type RecordedChange, type RecordImpact, type Subject } from './stored-impact.ts'
