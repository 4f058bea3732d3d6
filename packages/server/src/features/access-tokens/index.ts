export { createAccessTokens } from './access-tokens.ts'
export { accessTokenHandlers } from './handlers.ts'
export { accessTokenExists, deleteUserTokens, userTokenExists } from './queries.ts'
