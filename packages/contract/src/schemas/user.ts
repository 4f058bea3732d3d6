import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { ENROLLED_FACTORS } from '../second-factors.ts'
import { CreatedAt, integerId, Nullable, name, timestamp } from './common.ts'
import { proofFields } from './second-factor.ts'
import { serviceAccountKind } from './service-account.ts'
import { settledSchedules, wantedForSchedules } from './settled-schedules.ts'
import { Warning } from './warning.ts'
import { Email, emailUnconfirmedSince, Password, passwordPolicy, workspaceRole } from './workspace.ts'

const [, editor] = EXAMPLE_SHOP.users
const { password } = EXAMPLE_SHOP

/** A person with an account (docs/reference/access.md#roles). The password's hash is never shown. */
export const User = Type.Object(
  {
    id: integerId({ description: 'Names the user in paths', readOnly: true }),
    name: Type.String(),
    email: Type.String({ description: 'As it was entered; unique, ignoring case' }),
    email_unconfirmed_since: Nullable(emailUnconfirmedSince()),
    role: workspaceRole,
    kind: serviceAccountKind,
    created_at: CreatedAt,
    disabled_at: Nullable(
      timestamp({
        description: 'The time at which an admin disabled the account; null while it is enabled',
        readOnly: true,
      }),
    ),
    locked_until: Nullable(
      timestamp({
        description: 'The end of the lock after failed logins; null while nothing is locked',
        readOnly: true,
      }),
    ),
    has_password: Type.Boolean({
      description:
        'False until an invited user has set a password, and for users of the identity provider only',
      readOnly: true,
    }),
    is_linked: Type.Boolean({
      description: 'Whether the account is linked with a person at the identity provider',
      readOnly: true,
    }),
    second_factors: Type.Array(Type.Enum([...ENROLLED_FACTORS]), {
      description: 'The kinds of second factors that the account has',
      readOnly: true,
    }),
  },
  { examples: [...EXAMPLE_SHOP.users] },
)
export type User = Static<typeof User>

export const DisableInput = Type.Object(
  {
    schedules: wantedForSchedules,
  },
  { examples: [{ schedules: 'cancel' }] },
)
export type DisableInput = Static<typeof DisableInput>

/** A disabled user, and what became of their scheduled changes. */
export const DisabledUser = Type.Intersect(
  [
    User,
    Type.Object({
      schedules: settledSchedules,
    }),
  ],
  {
    examples: [
      { ...EXAMPLE_SHOP.users[1], disabled_at: EXAMPLE_SHOP.changedAt, schedules: { kept: 0, cancelled: 2 } },
    ],
  },
)
export type DisabledUser = Static<typeof DisabledUser>

/** A user in the response to a write. */
export const WrittenUser = Type.Intersect([
  User,
  Type.Object({
    warnings: Type.Optional(
      Type.Array(Warning, { description: 'Warnings about probable mistakes; absent when there are none' }),
    ),
  }),
])
export type WrittenUser = Static<typeof WrittenUser>

const revokeTokens = Type.Optional(
  Type.Boolean({
    description:
      'Whether a new password ends personal access tokens too, except the one of this request; true by default',
    writeOnly: true,
  }),
)

export const UserInput = Type.Object(
  {
    name: name({ description: 'Not blank' }),
    email: Email,
    role: workspaceRole,
    password: Password,
    password_policy: passwordPolicy,
  },
  { examples: [{ name: editor.name, email: editor.email, role: editor.role, password }] },
)
export type UserInput = Static<typeof UserInput>

export const UserPatch = Type.Object(
  {
    name: Type.Optional(name({ description: 'Not blank' })),
    role: Type.Optional(workspaceRole),
    password: Type.Optional(Password),
    password_policy: passwordPolicy,
    revoke_tokens: revokeTokens,
  },
  { examples: [{ role: 'admin' }] },
)
export type UserPatch = Static<typeof UserPatch>

/** The fields of their own account that users can change. */
export const OwnPatch = Type.Object(
  { name: Type.Optional(name({ description: 'The display name; not blank' })) },
  { examples: [{ name: 'Ada King' }] },
)

/** The confirmation of an address that SCIM has changed. */
export const EmailConfirmation = Type.Object(
  { email: Type.String({ maxLength: 320, description: 'The address as `GET /api/auth/me` has it' }) },
  { examples: [{ email: editor.email }] },
)

/** The proof that the person at a session is its user. */
export const Reauthentication = Type.Object(
  {
    password: Type.Optional(
      Type.String({ description: "The caller's password; a passkey needs none beside it", writeOnly: true }),
    ),
    ...proofFields,
  },
  { minProperties: 1, examples: [{ password }] },
)

/** The body of a request that changes the user's own password. */
export const PasswordChange = Type.Object(
  {
    current_password: Type.String({ description: 'The current password', writeOnly: true }),
    new_password: Password,
    password_policy: passwordPolicy,
    revoke_tokens: revokeTokens,
  },
  { examples: [{ current_password: password, new_password: 'a longer horse battery staple' }] },
)
export type PasswordChange = Static<typeof PasswordChange>
