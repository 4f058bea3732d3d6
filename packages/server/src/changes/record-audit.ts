import type { Transaction } from 'kysely'
import { actorName } from '../kernel/actor.ts'
import type { Database } from '../platform/db/tables.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { EnvironmentWrite } from './environment-write.ts'
import type { FlagChange } from './flag-change.ts'
import { isRelief, requireQuota } from './quota.ts'
import { insertAuditEntry } from './record-queries.ts'
import { WORKSPACE_CHAIN } from './sealed-entry.ts'
import { countStoredBytes } from './stored-bytes.ts'
import type { StoredText } from './stored-text.ts'
import {
  type AuditTrace,
  auditTrace,
  ENTRY_OVERHEAD_BYTES,
  revisionOf,
  toJson,
  toMetadata,
} from './to-stored-entry.ts'

interface RecordedAudit extends AuditEntry {
  readonly project_id: string | null
  readonly environment_id: string | null
  readonly actor_email: string
  /** The request that caused the change. */
  readonly trace?: AuditTrace
  /** The time, ISO 8601 in UTC. */
  readonly now: string
  /** The chain of an entry that outlives its environment; otherwise that of the environment. */
  readonly chain?: typeof WORKSPACE_CHAIN
}

/**
 * Stores an audit entry of a change that SDKs do not see (structure, users, settings). An entry of an
 * environment counts towards its quota, and is refused with `invalid` beyond it. Returns its id.
 */
export async function recordAudit(
  tx: Transaction<Database>,
  entry: RecordedAudit,
  quotaBytes?: number,
): Promise<number> {
  const { action, actor_email, environment_id, flag_key, now, project_id } = entry
  const before = wholeText(entry.before)
  const after = wholeText(entry.after)
  const metadata = toMetadata(entry, entry.trace ?? {})
  const bytes = ENTRY_OVERHEAD_BYTES + (before.size ?? 0) + (after.size ?? 0) + metadata.length
  const id = await insertAuditEntry(tx, {
    chain: entry.chain ?? environment_id ?? WORKSPACE_CHAIN,
    ...{ action, actor_email, environment_id, flag_key, now, project_id, before, after, metadata },
    before_revision: revisionOf(entry.before),
    after_revision: revisionOf(entry.after),
    stored_bytes: environment_id === null ? 0 : bytes,
  })
  if (environment_id === null) return id
  const stored_bytes = await countStoredBytes(tx, environment_id, bytes)
  if (stored_bytes === null) return id
  const growth = (after.size ?? 0) - (before.size ?? 0)
  requireQuota({ stored_bytes, growth, isRelief: isRelief(entry) }, quotaBytes)
  return id
}

/** The changes of one thing in a write of several, with its audit entry. */
export interface WrittenPart {
  readonly audit: AuditEntry
  readonly changes: readonly FlagChange[]
}

/**
 * Stores the audit entries of a write of several things, except the last one, which the write itself stores.
 * Returns the last, and the changes of all with the ids of their entries; null without any part.
 */
export async function recordParts(
  write: EnvironmentWrite,
  parts: readonly WrittenPart[],
  quotaBytes?: number,
): Promise<{ readonly audit: AuditEntry; readonly changes: readonly FlagChange[] } | null> {
  const last = parts.at(-1)
  if (!last) return null
  const changes: FlagChange[] = []
  for (const part of parts.slice(0, -1)) {
    const audit_id = await recordAuditWithin(write, part.audit, quotaBytes)
    changes.push(...part.changes.map((change) => ({ ...change, audit_id })))
  }
  return { audit: last.audit, changes: [...changes, ...last.changes] }
}

async function recordAuditWithin(
  { author, environment, now, tx }: EnvironmentWrite,
  entry: AuditEntry,
  quotaBytes?: number,
): Promise<number> {
  const place = { project_id: environment.project_id, environment_id: environment.id }
  const by = { actor_email: actorName(author), trace: auditTrace(author), now }
  return recordAudit(tx, { ...entry, ...place, ...by }, quotaBytes)
}

function wholeText(value: object | null): StoredText {
  const json = toJson(value)
  return { json, chunks: null, size: json === null ? null : Buffer.byteLength(json) }
}
