import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { Nullable } from './common.ts'

const label = Nullable(
  Type.String({ description: 'The name of the identity provider; null while none is set up' }),
)

/** The ways in which people can sign in. The login page shows them. */
export const SignInOptions = Type.Object(
  {
    label,
    password_login: Type.Boolean({ description: 'False while the setting PASSWORD_LOGIN is off' }),
  },
  { examples: [{ label: 'Example ID', password_login: true }] },
)
export type SignInOptions = Static<typeof SignInOptions>

/** The reasons for which a login with the identity provider ends on the login page. */
export const SSO_FAILURES = [
  'access_denied',
  'account_disabled',
  'clock',
  'email_missing',
  'email_unverified',
  'expired',
  'groups_missing',
  'invalid_response',
  'misconfigured',
  'no_account',
  'other_account',
  'provider_unavailable',
  'reauthentication_unconfirmed',
  'state_mismatch',
  'too_many',
] as const
export type SsoFailure = (typeof SSO_FAILURES)[number]

/** A link that waits for the password of the account. */
export const PendingLink = Type.Object(
  {
    email: Type.String({ description: 'The e-mail address of the account' }),
    label: Type.String({ description: 'The name of the identity provider' }),
    return_to: Type.String({ description: 'The path to open afterwards' }),
  },
  { examples: [{ email: EXAMPLE_SHOP.current_user.email, label: 'Example ID', return_to: '/' }] },
)
export type PendingLink = Static<typeof PendingLink>

export const LinkConfirmation = Type.Object(
  { password: Type.String({ description: 'The password of the account', writeOnly: true }) },
  { examples: [{ password: EXAMPLE_SHOP.password }] },
)
