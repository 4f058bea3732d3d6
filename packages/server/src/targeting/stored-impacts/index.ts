export { type ImpactOf, limitChangedUsers } from './limit-changed-users.ts'
export {
  cutImpact,
  findStoredImpact,
  type RecordedChange,
  type RecordImpact,
  type Subject,
  storedImpactBytes,
  storedImpactOf,
  storeImpact,
} from './stored-impact.ts'
