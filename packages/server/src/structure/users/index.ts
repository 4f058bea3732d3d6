export { accountKey, deviceKey, factorKey } from './account-key.ts'
export { assessPassword, type PasswordRules } from './assess-password.ts'
export { userHandlers } from './handlers.ts'
export { forgetFailures } from './lock-queries.ts'
export type { UserWithPassword } from './queries.ts'
export {
  deleteUserRow,
  findUser,
  findUserByEmail,
  hasPassword,
  insertUser,
  lockUser,
  lockUserForShare,
  replacePassword,
  replacePasswordHash,
  setDisabledAt,
  setEmailConfirmed,
  setPassword,
  userExists,
} from './queries.ts'
export { showUser } from './show-users.ts'
export { type UpdateUserDeps, updateUser } from './update-user.ts'
export { toAuditedUser, type User } from './user.ts'
