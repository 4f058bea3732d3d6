import type { Transaction } from 'kysely'
import { type Author, actorName } from '../kernel/actor.ts'
import type { DomainEvent } from '../kernel/domain-event.ts'
import type { Database } from '../platform/db/tables.ts'
import { shareTurn } from '../platform/turns.ts'
import type { AuditEntry } from './audit-entry.ts'
import { changeTexts } from './change-texts.ts'
import type { LockedEnvironment, StoredChange } from './queries.ts'
import { isRelief, requireQuota } from './quota.ts'
import { insertWrite } from './record-queries.ts'
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
 * environment would store more than its quota, or its SDKs would receive more than allowed.
 */
export async function recordChanges(
  tx: Transaction<Database>,
  write: RecordedWrite,
  { quotaBytes, wireMaxBytes }: WriteBounds,
): Promise<void> {
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
  const stored = await insertWrite(tx, {
    environment_id: environment.id,
    project_id: environment.project_id,
    revisions: changes.length,
    sizes: JSON.stringify(wireSizes(changes, others)),
    changes: encodeRows(changes.map((change, nth) => changeRow(change, others[nth]))),
    changeBytes: changes.reduce((sum, _, nth) => sum + changeBytes(others[nth]), 0),
    events: encodeRows(events.map(({ type }, nth) => eventRow(type, others[changes.length + nth]))),
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
      stored_bytes:
        ENTRY_OVERHEAD_BYTES + rowBytes(before) + rowBytes(after) + metadata.length + newChunkBytes,
      now,
    },
  })
  const growth = (after.size ?? 0) - (before.size ?? 0)
  const relief = isRelief(audit)
  requireQuota({ stored_bytes: stored.stored_bytes, growth, isRelief: relief }, quotaBytes)
  requireSendableSize({ ...stored, isRelief: relief }, wireMaxBytes)
}

function changeRow(change: StoredChange, flag: StoredText | undefined): string {
  const { audit_id, flag_key, kind, revision } = change
  const origins = change.kind === 'upsert' ? change.flag.origins : undefined
  const stored = { flag_chunks: flag?.chunks, flag_size: flag?.size, origins, bytes: changeBytes(flag) }
  const head = JSON.stringify({ kind, flag_key, revision, audit_id, ...stored })
  return withJson(head, 'flag', flag?.json)
}

/** The bytes of a row of the change log; new chunks count with the audit entry. */
const changeBytes = (flag: StoredText | undefined): number =>
  CHANGE_OVERHEAD_BYTES + (flag ? rowBytes(flag) : 0)

function eventRow(type: string, data: StoredText | undefined): string {
  const head = JSON.stringify({ type, data_chunks: data?.chunks, data_size: data?.size })
  return withJson(head, 'data', data?.json)
}

/** Adds a field whose value is already JSON. */
const withJson = (object: string, name: string, json: string | null | undefined): string =>
  json ? `${object.slice(0, -1)},"${name}":${json}}` : object

const encodeRows = (rows: readonly string[]): string => `[${rows.join(',')}]`

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
