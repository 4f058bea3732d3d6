export { createSingleSignOn, createTokenSeal } from './create-single-sign-on.ts'
export { singleSignOnHandlers } from './handlers.ts'
export { pruneLogoutTokens } from './logout-queries.ts'
export { groupMappingExists } from './mapping-queries.ts'
