import type { Transaction } from 'kysely'
import { actorName } from '../kernel/actor.ts'
import { WORKSPACE_CHAIN } from '../platform/db/sealed-entry.ts'
import { countStoredBytes } from '../platform/db/stored-bytes.ts'
import type { Database } from '../platform/db/tables.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { EnvironmentWrite } from './environment-write.ts'
import { isRelief, requireQuota } from './quota.ts'
import { insertAuditEntry } from './record-queries.ts'
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
 * environment counts towards its quota, and is refused with `invalid` beyond it.
 */
export async function recordAudit(
  tx: Transaction<Database>,
  entry: RecordedAudit,
  quotaBytes?: number,
): Promise<void> {
  const { action, actor_email, environment_id, flag_key, now, project_id } = entry
  const before = wholeText(entry.before)
  const after = wholeText(entry.after)
  const metadata = toMetadata(entry, entry.trace ?? {})
  const bytes = ENTRY_OVERHEAD_BYTES + (before.size ?? 0) + (after.size ?? 0) + metadata.length
  await insertAuditEntry(tx, {
    chain: entry.chain ?? environment_id ?? WORKSPACE_CHAIN,
    ...{ action, actor_email, environment_id, flag_key, now, project_id, before, after, metadata },
    before_revision: revisionOf(entry.before),
    after_revision: revisionOf(entry.after),
    stored_bytes: environment_id === null ? 0 : bytes,
  })
  if (environment_id === null) return
  const stored_bytes = await countStoredBytes(tx, environment_id, bytes)
  if (stored_bytes === null) return
  const growth = (after.size ?? 0) - (before.size ?? 0)
  requireQuota({ stored_bytes, growth, isRelief: isRelief(entry) }, quotaBytes)
}

/** Stores one more audit entry of a write of an environment, which has its own entry beside it. */
export async function recordAuditWithin(
  { author, environment, now, tx }: EnvironmentWrite,
  entry: AuditEntry,
  quotaBytes?: number,
): Promise<void> {
  const place = { project_id: environment.project_id, environment_id: environment.id }
  const by = { actor_email: actorName(author), trace: auditTrace(author), now }
  await recordAudit(tx, { ...entry, ...place, ...by }, quotaBytes)
}

function wholeText(value: object | null): StoredText {
  const json = toJson(value)
  return { json, chunks: null, size: json === null ? null : Buffer.byteLength(json) }
}
