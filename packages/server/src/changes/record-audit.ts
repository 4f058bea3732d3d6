import type { Transaction } from 'kysely'
import type { Database } from '../platform/db/tables.ts'
import type { AuditEntry } from './audit-entry.ts'
import { requireRoom } from './quota.ts'
import { addStoredBytes, insertAuditEntry } from './record-queries.ts'
import type { StoredText } from './stored-text.ts'
import { type AuditTrace, ENTRY_OVERHEAD_BYTES, revisionOf, toJson, toMetadata } from './to-stored-entry.ts'

/** Smaller entries are not counted against the quota: the environment's row would be locked for nothing. */
const COUNTED_MIN_BYTES = 8 * 1024

interface RecordedAudit extends AuditEntry {
  readonly project_id: string | null
  readonly environment_id: string | null
  readonly actor_email: string
  /** Of the request that it was made for. */
  readonly trace?: AuditTrace
  /** ISO-8601 UTC. */
  readonly now: string
}

/**
 * Stores one audit entry of a change that SDKs do not see (structure, people, settings). A large one of an environment counts against
 * the environment's quota, and is refused with `invalid` beyond it.
 */
export async function recordAudit(
  tx: Transaction<Database>,
  entry: RecordedAudit,
  quota_bytes?: number,
): Promise<void> {
  const { action, actor_email, environment_id, flag_key, now, project_id } = entry
  const before = wholeText(entry.before)
  const after = wholeText(entry.after)
  const metadata = toMetadata(entry, entry.trace ?? {})
  const bytes = ENTRY_OVERHEAD_BYTES + (before.size ?? 0) + (after.size ?? 0) + metadata.length
  const is_counted = environment_id !== null && bytes > COUNTED_MIN_BYTES
  await insertAuditEntry(tx, {
    ...{ action, actor_email, environment_id, flag_key, now, project_id, before, after, metadata },
    before_revision: revisionOf(entry.before),
    after_revision: revisionOf(entry.after),
    stored_bytes: is_counted ? bytes : 0,
  })
  if (!is_counted) return
  const stored_bytes = await addStoredBytes(tx, environment_id, bytes)
  if (stored_bytes === null) return
  requireRoom({ stored_bytes, growth: (after.size ?? 0) - (before.size ?? 0) }, quota_bytes)
}

function wholeText(value: object | null): StoredText {
  const json = toJson(value)
  return { json, chunks: null, size: json === null ? null : Buffer.byteLength(json) }
}
