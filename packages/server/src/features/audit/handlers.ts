import { AUDIT_LIMIT_DEFAULT, AUDIT_LIMIT_MAX, type AuditEntry, type auditEndpoints } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { EndpointHandlers } from '../../kernel/endpoint-handler.ts'
import { toInstant } from '../../kernel/instant.ts'
import type { Database } from '../../platform/db/tables.ts'
import { JSON_HEADERS, streamJsonList } from '../../platform/stream-json.ts'
import { exportAudit } from './export-audit.ts'
import { listAudit } from './queries.ts'

const NDJSON = 'application/x-ndjson'

export function auditHandlers({
  db,
}: {
  readonly db: Kysely<Database>
}): EndpointHandlers<typeof auditEndpoints> {
  return {
    async listEnvironmentAudit({ query, scope }) {
      const { flag_key, ...paging } = query
      const filter = { environment_id: scope.environment.id, flag_key }
      return listed(await listAudit(db, filter, clamped(paging)))
    },
    async listProjectAudit({ headers, query, scope }) {
      const { environment_id, from, limit, offset, to, ...plain } = query
      const filter = {
        ...plain,
        project_id: scope.project_id,
        environment_id: environment_id?.toLowerCase(),
        from: from && toInstant(from),
        to: to && toInstant(to),
      }
      if (headers.accept?.toLowerCase().includes(NDJSON)) {
        return { status: 200, bytes: exportAudit(db, filter), headers: { 'content-type': NDJSON } }
      }
      return listed(await listAudit(db, filter, clamped({ limit, offset })))
    },
  }
}

/** Entries of the largest flags come to more than one text can hold. */
const listed = (entries: readonly AuditEntry[]) => ({
  status: 200,
  bytes: streamJsonList(entries),
  headers: JSON_HEADERS,
})

/** Out of range is clamped (contract, section 3). */
function clamped({
  limit = AUDIT_LIMIT_DEFAULT,
  offset = 0,
}: {
  limit?: number | undefined
  offset?: number | undefined
}) {
  return {
    limit: Math.min(Math.max(limit, 1), AUDIT_LIMIT_MAX),
    offset: Math.min(Math.max(offset, 0), Number.MAX_SAFE_INTEGER),
  }
}
