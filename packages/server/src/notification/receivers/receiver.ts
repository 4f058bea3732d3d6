import type { DomainEventType, Warning } from '@burgee/contract'
import type { WorkspaceWriteDeps, WorkspaceWriteOutcome } from '../../changes/index.ts'
import type { DataKey } from '../../platform/crypto/data-key.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { PrivateTargets } from '../../platform/outbound/private-targets.ts'

export interface ReceiverDeps extends WorkspaceWriteDeps {
  readonly newId: () => string
  readonly data_key: DataKey
  readonly privateTargets: PrivateTargets
}

export interface EnvironmentPlace {
  readonly project_id: string
  readonly environment_id: string
}

/** The place of a receiver: ids are looked up in their environment only. */
export interface ReceiverPlace {
  readonly environment_id: string
  readonly id: string
}

/** The fields of a new receiver that the server gives. */
interface Made {
  readonly id: string
  readonly environment_id: string
  /** ISO 8601 in UTC. */
  readonly created_at: string
}

/** The fields that the row of every receiver has. */
export interface StoredReceiver extends Made {
  readonly name: string
  readonly enabled: boolean
}

/** The tables of a kind of receiver. */
interface TablesOf<Receivers extends 'webhooks' | 'integrations'> {
  readonly receivers: Receivers
  readonly log: 'webhook_deliveries' | 'integration_deliveries'
  /** The column of the log that names the receiver. */
  readonly logKey: 'webhook_id' | 'integration_id'
  /** The columns of the stored form. */
  readonly columns: readonly (keyof Database[Receivers])[]
}

export type ReceiverTables = TablesOf<'webhooks'> | TablesOf<'integrations'>

/** A kind of receiver of an environment's events: what webhooks and chats do differently. */
export interface ReceiverKind<Stored extends StoredReceiver, Shown extends object, Input, Patch> {
  /** The word of paths, refusals and the audit log. */
  readonly noun: 'webhook' | 'integration'
  readonly tables: ReceiverTables
  /** The form of the API, without secrets. */
  toShown(stored: Stored): Shown
  /** The form of the audit log, which every reader of the environment sees. */
  toAudited(stored: Stored): object
  /** Returns what a new receiver is made with. Refuses with `invalid` an address that must not be reached. */
  create(deps: ReceiverDeps, input: Input): (made: Made) => Stored
  /** Returns the changed fields. Refuses with `invalid` an address that must not be reached. */
  change(deps: ReceiverDeps, patch: Patch): Partial<Stored>
  /** The types of events that it receives; empty for all. */
  eventsOf(stored: Stored): readonly DomainEventType[]
  warningsOf(input: Input | Patch): readonly Warning[]
}

interface ReceiverChange<Stored> {
  readonly project_id: string
  readonly action: 'create' | 'update' | 'delete'
  readonly before: Stored | null
  readonly after: Stored | null
  /** The reason for a change without a user. */
  readonly reason?: string
}

/** Builds the audit entry of a change. */
export function receiverAudit<Stored extends StoredReceiver>(
  { noun, toAudited }: Pick<ReceiverKind<Stored, object, never, never>, 'noun' | 'toAudited'>,
  { action, after, before, project_id, reason }: ReceiverChange<Stored>,
): WorkspaceWriteOutcome<unknown>['audit'] {
  const receiver = after ?? before
  return {
    project_id,
    environment_id: receiver?.environment_id ?? null,
    action,
    before: before && toAudited(before),
    after: after && toAudited(after),
    metadata: { origin: 'direct', resource: `${noun}:${receiver?.id}`, ...(reason && { reason }) },
  }
}
