export type { Identity } from './identity.ts'
export type { IdentityProvider, ProviderLogin } from './identity-provider.ts'
export { SsoRefused } from './sso-refused.ts'
