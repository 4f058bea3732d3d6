export { accountKey, deviceKey, factorKey } from './account-key.ts'
export { assessPassword } from './assess-password.ts'
export { userHandlers } from './handlers.ts'
export type { UserWithPassword } from './queries.ts'
export {
  findUserByEmail,
  insertUser,
  lockUser,
  lockUserForShare,
  replacePassword,
  replacePasswordHash,
  userExists,
} from './queries.ts'
export { type UpdateUserDeps, updateUser } from './update-user.ts'
export type { User } from './user.ts'
