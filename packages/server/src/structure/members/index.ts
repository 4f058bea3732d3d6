export { memberHandlers } from './handlers.ts'
export {
  deleteMemberRow,
  insertMemberRow,
  lockMemberships,
  type UserMembership,
  updateMemberRow,
} from './queries.ts'
