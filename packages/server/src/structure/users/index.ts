export {
  addMaker,
  changeUser,
  changeUserIf,
  deleteUserRow,
  findUser,
  findUserByEmail,
  insertUser,
  lockUser,
  lockUserForShare,
  replacePasswordHash,
  setFactorsReset,
  type UserWithPassword,
} from './queries.ts'
export { toAuditedUser, type User, userResource } from './user.ts'
