import type { Transaction } from 'kysely'
import { type Author, actorName } from '../kernel/actor.ts'
import type { DomainEvent } from '../kernel/domain-event.ts'
import { shareTurn } from '../platform/concurrency/turns.ts'
import type { Database } from '../platform/db/tables.ts'
import type { AuditEntry } from './audit-entry.ts'
import { changeTexts } from './change-texts.ts'
import type { LockedEnvironment, StoredChange } from './queries.ts'
import { isRelief, requireQuota } from './quota.ts'
import { type ChangeRow, insertWrite, type StoredWrite, type WriteTrace } from './record-queries.ts'
import { type StoredText, storeTexts } from './stored-text.ts'
import { auditTrace, ENTRY_OVERHEAD_BYTES, revisionOf, toJson, toMetadata } from './to-stored-entry.ts'
import { requireSendableSize, wireSizes } from './wire-size.ts'

/** The bytes of a row of the change log beside its flag: its columns and three indexes. */
const CHANGE_OVERHEAD_BYTES = 200

/** The bounds of the writes of an environment; absent without any. */
export interface WriteBounds {
  /** The bytes that they may store. */
  readonly quotaBytes?: number
  /** The bytes that SDKs may receive of its flags. */
  readonly wireMaxBytes?: number
}

interface RecordedWrite {
  readonly environment: LockedEnvironment
  readonly actor: Author
  readonly now: string
  readonly changes: readonly StoredChange[]
  readonly audit: AuditEntry
  readonly events: readonly DomainEvent[]
}

/**
 * Stores the revisions, changes, audit entry and events of a write. Refuses with `invalid` when the
 * environment would store more than its quota, or its SDKs would receive more than allowed. A write that can
 * exceed neither leaves the statement to `send`, which does not wait for it. Returns what the statement
 * returns.
 */
export async function recordChanges(
  tx: Transaction<Database>,
  write: RecordedWrite,
  bounds: WriteBounds,
  send?: (statement: Promise<unknown>) => void,
): Promise<{ readonly storing: Promise<WriteTrace> }> {
  const stored = await toStoredWrite(tx, write)
  const storing = insertWrite(tx, stored)
  if (send && staysWithin(stored, write, bounds)) {
    send(storing)
    return { storing }
  }
  const sizes = await storing
  const { after, before } = stored.entry
  const growth = (after.size ?? 0) - (before.size ?? 0)
  const relief = isRelief(write.audit)
  requireQuota({ stored_bytes: sizes.stored_bytes, growth, isRelief: relief }, bounds.quotaBytes)
  requireSendableSize({ ...sizes, isRelief: relief }, bounds.wireMaxBytes)
  return { storing }
}

/** The bytes that a write of one flag may add to other rows than those of the write. */
const OTHER_ROWS_MAX_BYTES = 64 * 1024 * 1024

/** Returns whether a write exceeds no bound, whatever its other statements have added. */
const staysWithin = (
  { added_bytes, changes, sizes }: StoredWrite,
  { environment }: RecordedWrite,
  { quotaBytes, wireMaxBytes }: WriteBounds,
): boolean =>
  changes.length <= 1 &&
  (wireMaxBytes === undefined || sizes.length === 0) &&
  (quotaBytes === undefined || environment.stored_bytes + added_bytes + OTHER_ROWS_MAX_BYTES <= quotaBytes)

async function toStoredWrite(tx: Transaction<Database>, write: RecordedWrite): Promise<StoredWrite> {
  const { actor, audit, changes, environment, events, now } = write
  const flags = await changeTexts(changes)
  await shareTurn()
  const data = events.map((event) => JSON.stringify(eventData(write, event)))
  await shareTurn()
  const states = [toJson(audit.before), toJson(audit.after)]
  await shareTurn()
  const { newChunkBytes, texts } = await storeTexts(tx, environment.id, [...states, ...flags, ...data])
  const [before, after, ...others] = texts
  if (!before || !after) throw new Error('every text that was given is given back')
  const metadata = toMetadata(audit, auditTrace(actor))
  const entryBytes =
    ENTRY_OVERHEAD_BYTES + rowBytes(before) + rowBytes(after) + metadata.length + newChunkBytes
  const rows = changes.map((change, nth) => changeRow(change, others[nth]))
  return {
    environment_id: environment.id,
    project_id: environment.project_id,
    added_bytes: entryBytes + rows.reduce((sum, { bytes }) => sum + bytes, 0),
    changes: rows,
    sizes: wireSizes(changes, others),
    events: events.map(({ type }, nth) => ({ type, data: others[changes.length + nth] })),
    entry: {
      chain: environment.id,
      project_id: environment.project_id,
      environment_id: environment.id,
      flag_key: audit.flag_key,
      actor_email: actorName(actor),
      action: audit.action,
      before,
      before_revision: revisionOf(audit.before),
      after,
      after_revision: revisionOf(audit.after),
      metadata,
      stored_bytes: entryBytes,
      now,
    },
  }
}

function changeRow(change: StoredChange, flag: StoredText | undefined): ChangeRow {
  const { audit_id, flag_key, kind, revision } = change
  const origins = change.kind === 'upsert' ? change.flag.origins : undefined
  // New chunks count with the audit entry.
  const bytes = CHANGE_OVERHEAD_BYTES + (flag ? rowBytes(flag) : 0)
  return { revision, kind, flag_key, flag, origins: origins && JSON.stringify(origins), bytes, audit_id }
}

const rowBytes = ({ chunks, json }: StoredText): number => (chunks ?? json ?? '').length

/** Builds the `data` of the webhook envelope (docs/reference/events.md). */
function eventData({ actor, audit, environment }: RecordedWrite, event: DomainEvent): object {
  const { override } = audit.metadata
  return {
    project_id: environment.project_id,
    environment: { id: environment.id, name: environment.name, slug: environment.slug },
    flag_key: event.flag_key,
    actor_email: actorName(actor),
    flag: event.flag,
    previous: event.previous,
    ...(actor.comment !== undefined && { comment: actor.comment }),
    ...(override !== undefined && { override }),
    ...(event.source_environment && { source_environment: event.source_environment }),
    ...(event.change_request && { change_request: event.change_request }),
  }
}
