import { AUDIT_LIMIT_DEFAULT, AUDIT_LIMIT_MAX, type auditEndpoints } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { EndpointHandlers } from '../../kernel/endpoint-handler.ts'
import { toInstant } from '../../kernel/instant.ts'
import type { Database } from '../../platform/db/tables.ts'
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
      return { status: 200, body: await listAudit(db, filter, clamped(paging)) }
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
      return { status: 200, body: await listAudit(db, filter, clamped({ limit, offset })) }
    },
  }
}

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
