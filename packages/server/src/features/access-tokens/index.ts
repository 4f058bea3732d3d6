export { createAccessTokens } from './access-tokens.ts'
export { accessTokenHandlers } from './handlers.ts'
export { accessTokenExists, deleteUserTokens, userTokenExists } from './queries.ts'
export { revokeOtherTokens } from './revoke-other-tokens.ts'
