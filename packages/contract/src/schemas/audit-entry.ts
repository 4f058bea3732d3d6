import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { auditHash } from './audit-chain.ts'
import { AnyJson, Nullable, timestamp, uuid } from './common.ts'

/** The actions of authentication in the audit log (docs/reference/access.md#authentication-events). */
export const AUTHENTICATION_ACTIONS = [
  'auth.login',
  'auth.login_failed',
  'auth.locked',
  'auth.second_factor_failed',
  'auth.sso_failed',
  'auth.link_failed',
  'auth.reauthenticate',
  'auth.reauthenticate_failed',
  'auth.logout',
  'auth.used_after_silence',
] as const
export type AuthenticationAction = (typeof AUTHENTICATION_ACTIONS)[number]

/** The actions in the audit log (docs/reference/governance.md#audit-log). */
export const AUDIT_ACTIONS = [
  'create',
  'update',
  'delete',
  'promote',
  'archive',
  'unarchive',
  'restore',
  'schedule',
  'unschedule',
  'change_request.open',
  'change_request.approve',
  'change_request.reject',
  'change_request.cancel',
  ...AUTHENTICATION_ACTIONS,
] as const

/** The groups of the workspace's log, with the kinds of resource that belong to each. */
export const AUDIT_GROUP_KINDS = {
  /** Entries with a flag key. */
  flags: [],
  /** Entries with an action of a change request, and its discussion. */
  change_requests: ['change_request'],
  /** Entries with an action of authentication, which belong to no other group. */
  authentication: [],
  people: [
    'user',
    'member',
    'role',
    'session',
    'access_token',
    'identity',
    'group_mapping',
    'service_account',
    'scim',
    'scim_token',
    'scim_group',
  ],
  keys: ['sdk_key'],
  projects: ['project', 'environment', 'workspace', 'audit_log', 'invariant'],
  segments: ['segment', 'experiment', 'reports', 'seen_user'],
  receivers: ['webhook', 'integration'],
} as const satisfies Readonly<Record<string, readonly string[]>>
export type AuditGroup = keyof typeof AUDIT_GROUP_KINDS
// The keys of a constant are exactly its type's keys.
export const AUDIT_GROUPS = Object.keys(AUDIT_GROUP_KINDS) as AuditGroup[]

const recordOf = (description: string) => Type.Record(Type.String(), AnyJson, { description })

/**
 * One write, with its actor and the values before and after. `flag_key` is empty when it concerns no flag;
 * `metadata.resource` then names what it concerns.
 */
export const AuditEntry = Type.Object(
  {
    id: Type.Integer({ description: 'Grows with time' }),
    environment_id: Nullable(uuid({ description: 'Null when the change did not concern one environment' })),
    flag_key: Type.String({
      description: 'Empty when no flag was changed; `metadata.resource` then names what was',
    }),
    actor_email: Type.String({
      description: 'The actor: an e-mail, `sdk-key:<name>` or `service-account:<name>`',
    }),
    action: Type.Enum([...AUDIT_ACTIONS], { description: 'What was done' }),
    before_data: recordOf('The state before; empty when there was none'),
    after_data: recordOf('The state after; empty when there is none'),
    metadata: Nullable(recordOf('The `origin` of the change, and details of the action')),
    created_at: timestamp({ description: 'The time, UTC' }),
    chain: Nullable(
      Type.String({ description: 'The chain of hashes; null in entries of before version 0.2' }),
    ),
    seq: Nullable(Type.Integer({ description: 'The number of the entry in its chain, from 1' })),
    hash: Nullable(auditHash('SHA-256 over the previous hash and the entry')),
  },
  { examples: [EXAMPLE_SHOP.auditEntry] },
)
export type AuditEntry = Static<typeof AuditEntry>

/** An entry in the log of the workspace. */
export const PlacedAuditEntry = Type.Intersect([
  AuditEntry,
  Type.Object(
    {
      project_id: Nullable(
        uuid({ description: 'The project, which may be deleted; null when the change concerned none' }),
      ),
    },
    { examples: [{ project_id: EXAMPLE_SHOP.placeNames.project.id }] },
  ),
])
export type PlacedAuditEntry = Static<typeof PlacedAuditEntry>
