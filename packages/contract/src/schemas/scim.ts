import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { Nullable, timestamp } from './common.ts'

const { changedAt, current_user } = EXAMPLE_SHOP

/** The settings name as many groups at most; `groups` counts all of them. */
export const RECEIVED_GROUPS_SHOWN = 100

/** A group that the identity provider has sent. */
const ReceivedGroup = Type.Object({
  name: Type.String({ description: 'Its display name' }),
  external_id: Nullable(Type.String({ description: 'Its id at the identity provider' })),
  members: Type.Integer({ description: 'The number of its members' }),
})
export type ReceivedGroup = Static<typeof ReceivedGroup>

const fields = {
  url: Nullable(
    Type.String({
      description: 'The address for the identity provider; null while PUBLIC_URL is unset',
      readOnly: true,
    }),
  ),
  token_prefix: Nullable(
    Type.String({ description: 'Preview of the token; null while SCIM is off', readOnly: true }),
  ),
  token_created_at: Nullable(timestamp({ description: 'When the token was created, UTC', readOnly: true })),
  token_created_by: Nullable(
    Type.String({ description: 'The e-mail address of the admin who created it', readOnly: true }),
  ),
  last_request_at: Nullable(
    timestamp({ description: 'The last request with the token, UTC, to the minute', readOnly: true }),
  ),
  adopts_accounts: Type.Boolean({
    description: 'Whether SCIM takes over accounts that have a password. It never does for workspace admins',
  }),
  users: Type.Integer({ description: 'The number of accounts that SCIM manages', readOnly: true }),
  disabled_users: Type.Integer({ description: 'How many of them are disabled', readOnly: true }),
  groups: Type.Integer({ description: 'The number of groups that SCIM has sent', readOnly: true }),
  received_groups: Type.Array(ReceivedGroup, {
    description: 'The groups that SCIM has sent, by name; the first 100',
    maxItems: RECEIVED_GROUPS_SHOWN,
    readOnly: true,
  }),
}

const example = {
  url: 'https://flags.example.com/scim/v2',
  token_prefix: 'scim_Zx3p…',
  token_created_at: changedAt,
  token_created_by: current_user.email,
  last_request_at: changedAt,
  adopts_accounts: false,
  users: 48,
  disabled_users: 3,
  groups: 1,
  received_groups: [{ name: 'shop-team', external_id: null, members: 12 }],
}

/** The state of SCIM, with which an identity provider manages accounts and groups. */
export const ScimSettings = Type.Object(fields, { examples: [example] })
export type ScimSettings = Static<typeof ScimSettings>

/** The settings with a new token. No other response contains it. */
export const CreatedScimToken = Type.Object(
  {
    ...fields,
    token: Type.String({
      description: 'The full token, shown only here; only its hash is stored',
      readOnly: true,
    }),
  },
  { examples: [{ ...example, token: 'scim_Zx3p-example-that-opens-nothing' }] },
)
export type CreatedScimToken = Static<typeof CreatedScimToken>

export const ScimSettingsPatch = Type.Object(
  { adopts_accounts: Type.Optional(fields.adopts_accounts) },
  { examples: [{ adopts_accounts: true }] },
)
export type ScimSettingsPatch = Static<typeof ScimSettingsPatch>
