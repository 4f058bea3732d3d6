import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { PASSWORD_MIN_LENGTH, SECOND_FACTOR_GRACE_DAYS_MAX } from '../limits.ts'
import { name, role, timestamp } from './common.ts'
import { SECOND_FACTOR_POLICIES } from './second-factor.ts'

const { current_user, password, project } = EXAMPLE_SHOP

export const Workspace = Type.Object(
  { workspace_name: Type.String({ description: 'The name of the installation' }) },
  { examples: [{ workspace_name: current_user.workspace_name }] },
)
export type Workspace = Static<typeof Workspace>

const workspace_name = name({ description: 'The name of the installation; not blank' })

const keysMayManage = Type.Boolean({
  description:
    'False prevents the SDK keys of every environment from managing it; true leaves it to the setting of each environment',
})

const secondFactor = Type.Enum([...SECOND_FACTOR_POLICIES], {
  description: 'With `required`, every account that signs in with a password needs a second factor',
})
const graceDays = Type.Integer({
  minimum: 0,
  maximum: SECOND_FACTOR_GRACE_DAYS_MAX,
  description:
    'The days after which a session without a second factor can only add one. They start when the rule or the account is made',
})

/** The settings that workspace admins can read and change. */
export const WorkspaceSettings = Type.Object(
  {
    workspace_name: Type.String({ description: 'The name of the installation' }),
    keys_may_manage: keysMayManage,
    second_factor: secondFactor,
    second_factor_grace_days: graceDays,
  },
  {
    examples: [
      {
        workspace_name: current_user.workspace_name,
        keys_may_manage: true,
        second_factor: 'optional',
        second_factor_grace_days: 7,
      },
    ],
  },
)
export type WorkspaceSettings = Static<typeof WorkspaceSettings>

export const WorkspacePatch = Type.Object(
  {
    workspace_name: Type.Optional(workspace_name),
    keys_may_manage: Type.Optional(keysMayManage),
    second_factor: Type.Optional(secondFactor),
    second_factor_grace_days: Type.Optional(graceDays),
  },
  { minProperties: 1, examples: [{ workspace_name: current_user.workspace_name }] },
)
export type WorkspacePatch = Static<typeof WorkspacePatch>

export const workspaceRole = role({
  description: 'The role in the workspace: `admin` has all rights; others need a role in each project',
})

export const emailUnconfirmedSince = () =>
  timestamp({
    description:
      'When SCIM changed the e-mail address; null once the person has confirmed it. No link is sent to it before',
    readOnly: true,
  })

/** The response of a login and of the request for the current user (docs/reference/access.md#roles). */
export const CurrentUser = Type.Object(
  {
    email: Type.String(),
    name: Type.String(),
    role: workspaceRole,
    workspace_name: Type.String({ description: 'The name of the installation' }),
    is_setup_complete: Type.Boolean({ description: 'Whether the workspace has been set up' }),
    second_factor_due_at: Type.Optional(
      timestamp({
        description:
          'Present while the workspace requires a second factor and the account has none: after this time the session can only add one',
      }),
    ),
    second_factors_reset_at: Type.Optional(
      timestamp({
        description: 'Present after an admin removed the second factors, until there is one again',
      }),
    ),
    email_unconfirmed_since: Type.Optional(
      timestamp({
        description:
          'Present after SCIM changed the e-mail address, until the person confirms it with `POST /api/auth/me/email`',
      }),
    ),
    token_max_days: Type.Optional(
      Type.Integer({
        description: 'Present while the setting TOKEN_MAX_DAYS limits the time of new personal access tokens',
      }),
    ),
  },
  { examples: [current_user] },
)
export type CurrentUser = Static<typeof CurrentUser>

export const Email = Type.String({
  minLength: 3,
  maxLength: 320,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  format: 'plain-email',
  description: 'An e-mail address; unique, ignoring case',
})

/** A new password: at least 8 characters, and at most 1,024 bytes, which the server checks. */
export const Password = Type.String({
  minLength: PASSWORD_MIN_LENGTH,
  description: 'At least 8 characters, at most 1,024 bytes of UTF-8',
  writeOnly: true,
})

export const PASSWORD_POLICIES = ['standard', 'strict'] as const

/** The password policy for one request. The setting PASSWORD_POLICY applies to all requests. */
export const passwordPolicy = Type.Optional(
  Type.Enum([...PASSWORD_POLICIES], {
    description: '`strict` refuses the most common passwords with 422; `standard` warns about them',
    writeOnly: true,
  }),
)
export type PasswordPolicy = (typeof PASSWORD_POLICIES)[number]

/** The credentials of a login. Any values are valid input, so that malformed ones count as failed logins. */
export const Credentials = Type.Object(
  {
    email: Type.String({ description: 'In whatever case' }),
    password: Type.String({ description: 'Whatever was typed', writeOnly: true }),
  },
  { examples: [{ email: current_user.email, password }] },
)
export type Credentials = Static<typeof Credentials>

export const SetupInput = Type.Object(
  {
    workspace_name,
    project_name: name({ description: 'The first project' }),
    admin: Type.Object(
      { name: name({}), email: Email, password: Password, password_policy: passwordPolicy },
      { description: 'The first workspace admin, who is signed in at once' },
    ),
  },
  {
    examples: [
      {
        workspace_name: current_user.workspace_name,
        project_name: project.name,
        admin: { name: current_user.name, email: current_user.email, password },
      },
    ],
  },
)
export type SetupInput = Static<typeof SetupInput>

export const SetupState = Type.Object(
  {
    is_setup_complete: Type.Boolean({
      description: 'False while the setup wizard waits for its first admin',
    }),
  },
  { examples: [{ is_setup_complete: false }] },
)
