import type { IncidentEntry } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { findIncident, type IncidentFilter, type IncidentRow } from './incident-queries.ts'
import { changedFields } from './undo-fields.ts'

/** Returns the writes of flags and segments in a window, the newest first. */
export async function listIncident(db: Kysely<Database>, filter: IncidentFilter): Promise<IncidentEntry[]> {
  return (await findIncident(db, filter)).map(toEntry)
}

function toEntry(row: IncidentRow): IncidentEntry {
  const { action, actor_email, at, audit_id, environment_id, flag_key, metadata, project_id } = row
  const segment_key = flag_key === '' ? metadata?.resource?.slice('segment:'.length) : undefined
  return {
    ...{ audit_id, at, project_id, environment_id, actor_email, action },
    revisions: [...row.revisions],
    origin: metadata?.origin ?? 'direct',
    flag_keys: flag_key === '' ? [...row.flag_keys] : [flag_key],
    ...(segment_key !== undefined && { segment_key }),
    summary: summaryOf(row),
    comment: metadata?.comment ?? null,
    undone_by: row.undone_by,
  }
}

function summaryOf({ action, after, before, is_large }: IncidentRow): string {
  if (is_large) return 'too large to compare'
  if (!before || !after) return before ? 'deleted' : 'created'
  return changedFields(before, after).join(', ') || action
}
