export { allowPassword } from './allow-password.ts'
export { createSingleSignOn, createTokenSeal } from './create-single-sign-on.ts'
export { singleSignOnHandlers } from './handlers.ts'
export { isSameEmail } from './is-same-email.ts'
