import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { AnyJson, Nullable, timestamp, uuid } from './common.ts'

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
] as const

const recordOf = (description: string) => Type.Record(Type.String(), AnyJson, { description })

/**
 * One write, with its actor and the values before and after. `flag_key` is empty when it concerns no flag;
 * `metadata.resource` then names what it concerns.
 */
export const AuditEntry = Type.Object(
  {
    id: Type.Integer({ description: 'Grows with time' }),
    environment_id: Nullable(uuid({ description: 'Null where the change was of no one environment' })),
    flag_key: Type.String({
      description: 'Empty where no flag was changed; `metadata.resource` names the thing then',
    }),
    actor_email: Type.String({ description: 'Who did it; `sdk-key:<name>` for an SDK key' }),
    action: Type.Enum([...AUDIT_ACTIONS], { description: 'What was done' }),
    before_data: recordOf('What was; empty where there was nothing'),
    after_data: recordOf('What is since; empty where nothing is left'),
    metadata: Nullable(recordOf('How it came about: `origin`, and what belongs to the action')),
    created_at: timestamp({ description: 'When it was done, UTC' }),
  },
  { examples: [EXAMPLE_SHOP.auditEntry] },
)
export type AuditEntry = Static<typeof AuditEntry>
