export { accountKey, deviceKey } from './account-key.ts'
export { userHandlers } from './handlers.ts'
export { judgePassword } from './judge-password.ts'
export type { UserWithPassword } from './queries.ts'
export {
  findUserByEmail,
  holdUser,
  insertUser,
  replacePassword,
  replacePasswordHash,
  userExists,
} from './queries.ts'
export type { User } from './user.ts'
