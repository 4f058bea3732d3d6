export { assessPassword, type PasswordRules } from './assess-password.ts'
export { type UserHandlerDeps, userHandlers } from './handlers.ts'
export {
  type Account,
  accounts,
  findAccount,
  findAccountByEmail,
  hasPassword,
  insertAccount,
  lockAccount,
  setDisabledAt,
  setPassword,
  setWorkspaceRole,
} from './queries.ts'
export { showUser } from './show-users.ts'
export { type UpdateUserDeps, updateUser } from './update-user.ts'
