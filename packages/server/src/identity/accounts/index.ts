export {
  type Account,
  accounts,
  findAccount,
  findAccountByEmail,
  insertAccount,
  lockAccount,
  setWorkspaceRole,
} from './queries.ts'
