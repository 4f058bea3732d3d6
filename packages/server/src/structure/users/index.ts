export {
  changeUser,
  deleteUserRow,
  findUser,
  findUserByEmail,
  insertUser,
  listUsers,
  lockUser,
  lockUserForShare,
  replacePassword,
  replacePasswordHash,
  type UserWithPassword,
  userExists,
} from './queries.ts'
export { toAuditedUser, type User, userResource } from './user.ts'
