export { createSingleSignOn, createTokenSeal } from './create-single-sign-on.ts'
export { singleSignOnHandlers } from './handlers.ts'
