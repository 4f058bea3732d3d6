import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { GROUP_NAME_MAX_LENGTH } from '../limits.ts'
import { CreatedAt, integerId, Nullable, timestamp, uuid } from './common.ts'

const label = Nullable(
  Type.String({ description: 'The name of the identity provider; null while none is set up' }),
)

/** The ways in which people can sign in. The login page shows them. */
export const SignInOptions = Type.Object(
  {
    label,
    password_login: Type.Boolean({ description: 'False while the setting PASSWORD_LOGIN is off' }),
    password_reset: Type.Boolean({
      description: 'Whether a link for a new password is sent by e-mail on request',
    }),
    passkey_origins: Type.Array(Type.String(), {
      description:
        'The origins of pages on which passkeys work; empty until PUBLIC_URL is an https address with a host name',
    }),
  },
  {
    examples: [
      {
        label: 'Example ID',
        password_login: true,
        password_reset: true,
        passkey_origins: ['https://flags.example.com'],
      },
    ],
  },
)
export type SignInOptions = Static<typeof SignInOptions>

/** The reasons for which a login with the identity provider ends on the login page. */
export const SSO_FAILURES = [
  'access_denied',
  'account_disabled',
  'address_unconfirmed',
  'clock',
  'email_missing',
  'email_unverified',
  'expired',
  'groups_missing',
  'invalid_response',
  'misconfigured',
  'no_account',
  'no_session',
  'other_account',
  'other_email',
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

/** The purposes of a login at the identity provider. */
export const SSO_PURPOSES = ['login', 'link', 'reauthenticate'] as const

/** The response to a confirmed link: the login that follows it. */
export const ConfirmedLink = Type.Object(
  { continue_at: Type.String({ description: 'The path at which the login goes on' }) },
  { examples: [{ continue_at: '/api/auth/sso/start' }] },
)

/** The end of a session. */
export const ProviderLogout = Type.Object(
  {
    url: Nullable(
      Type.String({
        description:
          'The address at which the provider ends its session; null when this session came from elsewhere',
      }),
    ),
  },
  { examples: [{ url: 'https://id.example.com/logout?client_id=burgee' }] },
)

/** The link of an account with a person at the identity provider. */
export const OwnIdentity = Type.Object(
  {
    label,
    is_linked: Type.Boolean({ description: 'Whether the account is linked' }),
    email: Nullable(Type.String({ description: 'The address that the provider named last' })),
    linked_at: Nullable(timestamp({ description: 'When it was linked' })),
    has_password: Type.Boolean({ description: 'Whether the account has a password as well' }),
  },
  {
    examples: [
      {
        label: 'Example ID',
        is_linked: true,
        email: EXAMPLE_SHOP.current_user.email,
        linked_at: '2026-03-02T08:00:00.000Z',
        has_password: true,
      },
    ],
  },
)
export type OwnIdentity = Static<typeof OwnIdentity>

/** The settings of single sign-on, which the operator sets in the environment. */
export const SingleSignOnSettings = Type.Object(
  {
    label,
    issuer: Nullable(Type.String({ description: 'OIDC_ISSUER' })),
    client_id: Nullable(Type.String({ description: 'OIDC_CLIENT_ID' })),
    scopes: Type.String({ description: 'OIDC_SCOPES' }),
    groups_claim: Type.String({ description: 'OIDC_GROUPS_CLAIM' }),
    password_login: Type.Boolean({ description: 'False while the setting PASSWORD_LOGIN is off' }),
    redirect_uri: Nullable(Type.String({ description: 'The redirect address to register at the provider' })),
    post_logout_redirect_uri: Nullable(
      Type.String({ description: 'The address after a logout, to register at the provider' }),
    ),
    backchannel_logout_uri: Nullable(
      Type.String({ description: 'The address of back-channel logout, to register at the provider' }),
    ),
  },
  {
    examples: [
      {
        label: 'Example ID',
        issuer: 'https://id.example.com',
        client_id: 'burgee',
        scopes: 'openid email profile',
        groups_claim: 'groups',
        password_login: true,
        redirect_uri: 'https://flags.example.com/api/auth/sso/callback',
        post_logout_redirect_uri: 'https://flags.example.com/login',
        backchannel_logout_uri: 'https://flags.example.com/api/auth/sso/backchannel-logout',
      },
    ],
  },
)
export type SingleSignOnSettings = Static<typeof SingleSignOnSettings>

const groupName = Type.String({
  minLength: 1,
  maxLength: GROUP_NAME_MAX_LENGTH,
  pattern: '\\S',
  description: 'The group, exactly as the claim has it',
})
const mappedProject = Nullable(uuid({ description: 'The project; null for the workspace' }))
const mappedRole = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The key of a role. In the workspace it is viewer, editor or admin',
})

/** A row of the table of groups: members of the group have the role. */
export const GroupMapping = Type.Object(
  {
    id: integerId({ description: 'Names the row in paths', readOnly: true }),
    group: groupName,
    project_id: mappedProject,
    role: mappedRole,
    created_at: CreatedAt,
  },
  {
    examples: [
      {
        id: 1,
        group: 'shop-developers',
        project_id: EXAMPLE_SHOP.project.id,
        role: 'editor',
        created_at: '2026-03-02T08:00:00.000Z',
      },
    ],
  },
)
export type GroupMapping = Static<typeof GroupMapping>

export const GroupMappingInput = Type.Object(
  { group: groupName, project_id: mappedProject, role: mappedRole },
  { examples: [{ group: 'shop-developers', project_id: EXAMPLE_SHOP.project.id, role: 'editor' }] },
)
export type GroupMappingInput = Static<typeof GroupMappingInput>

export const LinkConfirmation = Type.Object(
  { password: Type.String({ description: 'The password of the account', writeOnly: true }) },
  { examples: [{ password: EXAMPLE_SHOP.password }] },
)
