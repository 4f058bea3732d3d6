export { memberHandlers } from './handlers.ts'
export {
  deleteMemberRow,
  insertMemberRow,
  lockMemberships,
  memberExists,
  type UserMembership,
  updateMemberRow,
} from './queries.ts'
