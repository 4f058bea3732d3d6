import { AUDIT_LIMIT_DEFAULT, AUDIT_LIMIT_MAX, type auditEndpoints } from '@burgee/contract'
import { toInstant } from '../../kernel/instant.ts'
import { readCursor } from '../../kernel/list-cursor.ts'
import { clamp } from '../../kernel/paging.ts'
import type { EncodedReply, EndpointHandlers } from '../../platform/endpoint-handler.ts'
import { type ListDeps, replyWithList } from '../../platform/reply-with-list.ts'
import { exportAudit } from './export-audit.ts'
import { type AuditFilter, auditList } from './queries.ts'

const NDJSON = 'application/x-ndjson'
const NAME = 'audit'

interface PageQuery {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly cursor?: string | undefined
}

export function auditHandlers(deps: ListDeps): EndpointHandlers<typeof auditEndpoints> {
  return {
    async listEnvironmentAudit({ query, scope }) {
      const { flag_key, ...page } = query
      return replyWithAudit(deps, { environment_id: scope.environment.id, flag_key }, page)
    },
    async listProjectAudit({ headers, query, scope }) {
      const { cursor, limit, offset, ...plain } = query
      const filter = toFilter({ ...plain, project_id: scope.project_id })
      if (wantsLines(headers)) return exportLines(deps, filter)
      return replyWithAudit(deps, filter, { cursor, limit, offset })
    },
    async listWorkspaceAudit({ headers, query }) {
      const { cursor, limit, offset, since_id, ...plain } = query
      const filter = {
        ...toFilter(plain),
        isPlaced: true,
        sinceId: since_id && clamp(since_id, 0, Number.MAX_SAFE_INTEGER),
      }
      if (wantsLines(headers)) return exportLines(deps, filter)
      return replyWithAudit(deps, filter, { cursor, limit, offset })
    },
  }
}

type Headers = Readonly<Record<string, string | undefined>>
const wantsLines = ({ accept }: Headers): boolean => accept?.toLowerCase().includes(NDJSON) === true

const exportLines = (deps: ListDeps, filter: AuditFilter) => ({
  status: 200,
  bytes: exportAudit(deps, filter),
  headers: { 'content-type': NDJSON },
})

/** Ids may be sent in upper case, and times with any offset. */
const toFilter = ({ environment_id, from, project_id, to, ...plain }: AuditFilter): AuditFilter => ({
  ...plain,
  project_id: project_id?.toLowerCase(),
  environment_id: environment_id?.toLowerCase(),
  from: from && toInstant(from),
  to: to && toInstant(to),
})

/** Responds with a page. Limit and offset are clamped (docs/reference/api.md). */
function replyWithAudit(
  deps: ListDeps,
  filter: AuditFilter,
  { cursor, limit = AUDIT_LIMIT_DEFAULT, offset = 0 }: PageQuery,
): Promise<EncodedReply> {
  const [lastId = null] = readCursor(NAME, ['id'], cursor) ?? []
  const paging = {
    limit: clamp(limit, 1, AUDIT_LIMIT_MAX),
    offset: clamp(offset, 0, Number.MAX_SAFE_INTEGER),
    lastId: lastId === null ? null : Number(lastId),
  }
  return replyWithList(deps, { name: NAME, query: auditList(deps.db, filter, paging), limit: paging.limit })
}
