import type { SingleSignOnConfig } from '../../platform/settings/single-sign-on-config.ts'

const CALLBACK_PATH = '/api/auth/sso/callback'

/** Returns the address that must be registered at the provider. */
export const redirectUri = ({ publicUrl }: Pick<SingleSignOnConfig, 'publicUrl'>): string =>
  `${publicUrl}${CALLBACK_PATH}`

/** Returns the address that the provider opens after a logout, which must be registered as well. */
export const postLogoutRedirectUri = ({ publicUrl }: Pick<SingleSignOnConfig, 'publicUrl'>): string =>
  `${publicUrl}/login`

/** Returns the address at which the provider announces logouts. */
export const backchannelLogoutUri = ({ publicUrl }: Pick<SingleSignOnConfig, 'publicUrl'>): string =>
  `${publicUrl}/api/auth/sso/backchannel-logout`
