export { findUserByEmail, holdUser, insertUser, type User } from './queries.ts'
