import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import {
  APPROVERS_MAX,
  COLOR_PATTERN,
  DEFAULT_ENVIRONMENT_COLOR,
  ENVIRONMENT_NAME_MAX_LENGTH,
  ENVIRONMENT_SLUG_MAX_LENGTH,
  ENVIRONMENT_SLUG_PATTERN,
  KEY_MAX_LENGTH,
  MIN_APPROVALS_MAX,
  PLANNED_CHANGES_MAX,
  PRIVATE_ATTRIBUTES_MAX,
  ROLE_KEY_MAX_LENGTH,
} from '../limits.ts'
import { CreatedAt, integerId, Nullable, plainName, timestamp, uuid } from './common.ts'

export const ApprovalScope = Type.Enum(['patch', 'all'], {
  description:
    'The changes that require approval: `patch` only PATCH of a flag, `all` every change to an existing flag',
})

const minApprovals = Type.Integer({
  minimum: 1,
  maximum: MIN_APPROVALS_MAX,
  description: 'The number of people who must approve a change; 1 by default',
})

const approvers = Type.Array(
  Type.Union([
    Type.Object({ user_id: integerId({ description: 'A user' }) }),
    Type.Object({
      role: Type.String({
        minLength: 1,
        maxLength: ROLE_KEY_MAX_LENGTH,
        description: 'Members with this role in the environment',
      }),
    }),
  ]),
  {
    maxItems: APPROVERS_MAX,
    description: 'The people who may approve changes here; every reviewer where the list is empty',
  },
)
export const Approvers = approvers
export type Approvers = Static<typeof Approvers>

const keysMayManage = Type.Boolean({
  description:
    'Whether server keys of the environment may create and revoke keys, and change webhooks, integrations and the environment itself; the workspace has a setting that switches it off everywhere',
})

const seenUsers = Type.Enum(['off', 'keys', 'attributes'], {
  description:
    'What is kept of recently seen users: nothing, their keys, or also the attributes that rules name and that SDKs send with impressions; `keys` by default',
})

const privateAttributes = Type.Array(Type.String({ minLength: 1, maxLength: KEY_MAX_LENGTH }), {
  maxItems: PRIVATE_ATTRIBUTES_MAX,
  description: 'Attributes that are never kept of seen users',
})

export const Environment = Type.Object(
  {
    id: uuid({ description: 'Names the environment in paths', readOnly: true }),
    name: Type.String(),
    slug: Type.String({ description: 'Unique in the project, and never changed' }),
    color: Type.String({ pattern: COLOR_PATTERN, description: 'Hex color, #rgb or #rrggbb' }),
    is_default: Type.Boolean({
      description: 'The default environment; exactly one in a project',
      readOnly: true,
    }),
    created_at: CreatedAt,
    require_approval: Type.Boolean({
      description: 'Whether changes to flags become change requests, which another person approves',
      readOnly: true,
    }),
    approval_scope: ApprovalScope,
    min_approvals: minApprovals,
    approvers,
    keys_may_manage: keysMayManage,
    keys_may_manage_effective: Type.Boolean({
      description:
        'Whether its server keys may manage it at present: `keys_may_manage` of the environment and of the workspace',
      readOnly: true,
    }),
    require_comment: Type.Boolean({
      description:
        'Whether each write of a flag, segment or schedule, and each decision, needs a `comment` (422 without)',
    }),
    history_since: Nullable(
      timestamp({
        description:
          'The time from which past moments can be evaluated, UTC; null until the server has stored the flags after an upgrade',
        readOnly: true,
      }),
    ),
    seen_users: seenUsers,
    private_attributes: privateAttributes,
    has_legacy_key: Type.Optional(
      Type.Boolean({
        description:
          'Whether the setting SDK_KEY is a key of this environment now. It moves with the default of the oldest project. Absent when the setting is not used, and in responses to writes',
        readOnly: true,
      }),
    ),
  },
  { examples: [...EXAMPLE_SHOP.environments] },
)
export type Environment = Static<typeof Environment>

const name = plainName(ENVIRONMENT_NAME_MAX_LENGTH, { description: 'The display name; not blank' })
const color = Type.String({ pattern: COLOR_PATTERN, description: 'Hex color, #rgb or #rrggbb' })

export const EnvironmentInput = Type.Object(
  {
    name,
    slug: Type.String({
      minLength: 1,
      maxLength: ENVIRONMENT_SLUG_MAX_LENGTH,
      pattern: ENVIRONMENT_SLUG_PATTERN,
      description: 'Lower-case letters, digits and hyphens; unique in the project',
    }),
    color: Type.Optional(
      Type.String({
        pattern: COLOR_PATTERN,
        description: `Hex color, #rgb or #rrggbb; ${DEFAULT_ENVIRONMENT_COLOR} by default`,
      }),
    ),
  },
  { examples: [{ name: 'Load test', slug: 'load-test', color: '#0ea5e9' }] },
)
export type EnvironmentInput = Static<typeof EnvironmentInput>

export const EnvironmentPatch = Type.Object(
  {
    name: Type.Optional(name),
    color: Type.Optional(color),
    keys_may_manage: Type.Optional(
      Type.Boolean({ description: 'Whether server keys may manage the environment; set by people only' }),
    ),
    require_comment: Type.Optional(Type.Boolean({ description: 'Whether writes need a `comment`' })),
    seen_users: Type.Optional(seenUsers),
    private_attributes: Type.Optional(privateAttributes),
  },
  { examples: [{ name: EXAMPLE_SHOP.environments[1].name, color: '#f97316' }] },
)
export type EnvironmentPatch = Static<typeof EnvironmentPatch>

/** The open streams of SDKs over all instances, and the time of the latest connection. */
export const Connections = Type.Object(
  {
    streams: Type.Integer({ description: 'The open streams of SDKs over all instances' }),
    last_connected_at: Nullable(
      timestamp({ description: 'The time of the latest stream, UTC; null before the first' }),
    ),
  },
  { examples: [{ streams: 4, last_connected_at: EXAMPLE_SHOP.changedAt }] },
)
export type Connections = Static<typeof Connections>

export const ApprovalInput = Type.Object(
  {
    require_approval: Type.Boolean({
      description: 'Whether changes to flags need the approval of another person',
    }),
    approval_scope: Type.Optional(ApprovalScope),
    min_approvals: Type.Optional(minApprovals),
    approvers: Type.Optional(approvers),
    planned_changes: Type.Optional(
      Type.Enum(['keep', 'request'], {
        description: `What happens to scheduled changes that were never approved. \`keep\`, the default, leaves them: under \`patch\` they run without a review, under \`all\` they fail when they are due. \`request\` makes change requests of the earliest ${PLANNED_CHANGES_MAX}, for their authors and with their times; only with the scope \`all\``,
      }),
    ),
    keys_may_manage: Type.Optional(
      Type.Boolean({
        description:
          'Whether server keys may manage the environment; set by people only. Without it, it becomes false where the scope becomes `all`, and stays as it is otherwise',
      }),
    ),
  },
  { examples: [{ require_approval: true, approval_scope: 'all' }] },
)
export type ApprovalInput = Static<typeof ApprovalInput>

/** An environment in the response to the call that sets its approval. */
export const ApprovalOutcome = Type.Intersect([
  Environment,
  Type.Object(
    {
      planned: Type.Optional(
        Type.Object(
          {
            requested: Type.Array(integerId({}), {
              description: 'The change requests that this call opened for scheduled changes',
            }),
            unapproved: Type.Integer({
              description:
                'The scheduled changes that are pending and were never approved. `GET .../scheduled-changes?unapproved=true` lists them',
            }),
          },
          { description: 'Scheduled changes without an approval; absent where no approval is required' },
        ),
      ),
    },
    { examples: [{ planned: { requested: [12], unapproved: 0 } }] },
  ),
])
export type ApprovalOutcome = Static<typeof ApprovalOutcome>
