export { userHandlers } from './handlers.ts'
export { findUserByEmail, holdUser, insertUser, replacePassword, userExists } from './queries.ts'
export { requireHashablePassword } from './require-hashable-password.ts'
export type { User } from './user.ts'
