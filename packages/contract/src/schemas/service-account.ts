import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { SERVICE_ACCOUNT_NAME_MAX_LENGTH, SERVICE_ACCOUNT_NAME_PATTERN } from '../limits.ts'
import { CreatedAt, integerId, Nullable, timestamp, uuid } from './common.ts'
import { settledSchedules, wantedForSchedules } from './settled-schedules.ts'

const { service_account } = EXAMPLE_SHOP

export const USER_KINDS = ['person', 'service_account'] as const

/** The mark of a service account in lists of users. */
export const serviceAccountKind = Type.Optional(
  Type.Enum(['service_account'], { description: 'Absent for a person', readOnly: true }),
)

const nameRules = {
  minLength: 1,
  maxLength: SERVICE_ACCOUNT_NAME_MAX_LENGTH,
  pattern: SERVICE_ACCOUNT_NAME_PATTERN,
  description: 'Words with single spaces, without `@`; unique among service accounts, ignoring case',
}
const name = Type.String({ ...nameRules, format: 'plain-name' })

/** The account of a program (docs/reference/access.md#service-accounts). */
export const ServiceAccount = Type.Object(
  {
    id: integerId({
      description: 'Names the account in paths, and as `user_id` of a member',
      readOnly: true,
    }),
    // A stored name may be older than the rule for its characters.
    name: Type.String(nameRules),
    actor: Type.String({ description: 'The actor in the audit log', readOnly: true }),
    created_at: CreatedAt,
    disabled_at: Nullable(
      timestamp({
        description: 'The time at which it was disabled; null while it is enabled',
        readOnly: true,
      }),
    ),
    memberships: Type.Array(
      Type.Object({
        project_id: uuid({ description: 'The project' }),
        project_name: Type.String({ description: 'The name of the project' }),
        role: Type.String({ description: 'The key of the role in the project' }),
      }),
      { description: 'Its roles in projects, at most 100 by name', readOnly: true },
    ),
  },
  { examples: [service_account] },
)
export type ServiceAccount = Static<typeof ServiceAccount>

export const ServiceAccountInput = Type.Object({ name }, { examples: [{ name: service_account.name }] })
export type ServiceAccountInput = Static<typeof ServiceAccountInput>

export const ServiceAccountPatch = Type.Object(
  {
    name: Type.Optional(name),
    is_disabled: Type.Optional(
      Type.Boolean({
        description: 'True ends its tokens and streams immediately; they do not come back with false',
      }),
    ),
    schedules: wantedForSchedules,
  },
  { examples: [{ is_disabled: true, schedules: 'cancel' }] },
)
export type ServiceAccountPatch = Static<typeof ServiceAccountPatch>

/** A service account in the response to a change. */
export const UpdatedServiceAccount = Type.Intersect(
  [ServiceAccount, Type.Object({ schedules: Type.Optional(settledSchedules) })],
  { examples: [service_account] },
)
export type UpdatedServiceAccount = Static<typeof UpdatedServiceAccount>
