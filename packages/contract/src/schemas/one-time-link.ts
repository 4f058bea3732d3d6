import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { Nullable, name, timestamp } from './common.ts'
import { User } from './user.ts'
import { Email, Password, passwordPolicy, workspaceRole } from './workspace.ts'

const [, editor] = EXAMPLE_SHOP.users
const { changedAt, password } = EXAMPLE_SHOP
const token = '5RZkq1cYb0n2o8dVJt6mWc3gqk0yPz4Lr7sXeHaBfUw'

export const InvitationInput = Type.Object(
  { name: name({ description: 'Not blank' }), email: Email, role: workspaceRole },
  { examples: [{ name: editor.name, email: editor.email, role: editor.role }] },
)
export type InvitationInput = Static<typeof InvitationInput>

/** A link with which a person sets their password once (docs/reference/access.md#one-time-links). */
export const SentLink = Type.Object(
  {
    user: User,
    sent_to: Nullable(
      Type.String({ description: 'The e-mail address that received it; null when none did' }),
    ),
    link: Nullable(
      Type.String({
        description:
          'The link, where it was not sent: shown only here. Without PUBLIC_URL it is a path of this server',
      }),
    ),
    expires_at: timestamp({ description: 'When it ends, UTC: after an hour' }),
  },
  {
    examples: [
      {
        user: editor,
        sent_to: null,
        link: `https://flags.example.com/set-password#token=${token}`,
        expires_at: changedAt,
      },
    ],
  },
)
export type SentLink = Static<typeof SentLink>

const tokenField = Type.String({
  maxLength: 200,
  description: 'What follows `#token=` in the link',
  writeOnly: true,
})

export const LinkInput = Type.Object({ token: tokenField }, { examples: [{ token }] })

/** The account and the purpose of a valid link. */
export const LinkTarget = Type.Object(
  {
    email: Type.String({ description: 'The account whose password it sets' }),
    purpose: Type.Enum(['invitation', 'password_reset'], { description: 'Why it was created' }),
    expires_at: timestamp({ description: 'When it ends, UTC' }),
  },
  { examples: [{ email: editor.email, purpose: 'invitation', expires_at: changedAt }] },
)

export const RedeemInput = Type.Object(
  {
    token: tokenField,
    password: Password,
    password_policy: passwordPolicy,
    revoke_tokens: Type.Optional(
      Type.Boolean({ description: 'Whether personal access tokens end too; true by default' }),
    ),
  },
  { examples: [{ token, password }] },
)
export type RedeemInput = Static<typeof RedeemInput>

export const PasswordResetInput = Type.Object(
  { email: Type.String({ maxLength: 320, description: 'Whatever was typed' }) },
  { examples: [{ email: editor.email }] },
)
