import { AUDIT_LIMIT_DEFAULT, AUDIT_LIMIT_MAX, type auditEndpoints } from '@burgee/contract'
import { type Actor, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { toInstant } from '../../kernel/instant.ts'
import { readCursor } from '../../kernel/list-cursor.ts'
import { clamp } from '../../kernel/paging.ts'
import { lacksIn, mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'
import type { EncodedReply, EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { type ListDeps, replyWithList } from '../../platform/replies/reply-with-list.ts'
import { listAuditHeads } from './audit-heads.ts'
import { exportAudit } from './export-audit.ts'
import { type AuditFilter, auditList, type Readable } from './queries.ts'
import { createVerifyAudit, type Verification } from './verify-audit.ts'

const NDJSON = 'application/x-ndjson'
const NAME = 'audit'

interface PageQuery {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly cursor?: string | undefined
}

export function auditHandlers(deps: ListDeps): EndpointHandlers<typeof auditEndpoints> {
  const verifyAudit = createVerifyAudit(deps.db)
  const verify = (verification: Verification) => ({
    status: 200,
    bytes: verifyAudit({
      ...verification,
      project_id: verification.project_id?.toLowerCase(),
      chain: verification.chain?.toLowerCase(),
    }),
    headers: { 'content-type': NDJSON },
  })
  return {
    async listAuditHeads({ query }) {
      const heads = await listAuditHeads(deps.db, { project_id: query.project_id?.toLowerCase() })
      return { status: 200, body: [...heads] }
    },
    async verifyAudit({ query }) {
      return verify(query)
    },
    async verifyProjectAudit({ query, scope }) {
      return verify({ ...query, project_id: scope.project_id })
    },
    async listEnvironmentAudit({ query, scope }) {
      const { flag_key, id, ...page } = query
      return replyWithAudit(deps, { environment_id: scope.environment.id, flag_key, id }, page)
    },
    async listProjectAudit({ actor, headers, query, scope }) {
      const { cursor, limit, offset, ...plain } = query
      const { environment_id } = plain
      if (environment_id !== undefined && !mayRead(actor, scope, environment_id.toLowerCase())) {
        const place = { project_id: scope.project_id, environment_id: environment_id.toLowerCase() }
        throw lacksIn('read_environment', place)
      }
      const readable = readableBy(actor, scope)
      const filter = { ...toFilter({ ...plain, project_id: scope.project_id }), readable }
      if (wantsLines(headers)) return exportLines(deps, { ...filter, isPlaced: true })
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

const mayRead = (actor: Actor, scope: ProjectScope, environment_id: string): boolean =>
  mayInEnvironment(actor, scope, 'read_environment', environment_id)

/** Returns the environments whose entries the caller may read, by their roles in single environments. */
function readableBy(actor: Actor, scope: ProjectScope): Readable | undefined {
  const { membership } = scope
  if (isWorkspaceAdmin(actor) || membership === null) return undefined
  const others = [...membership.overrides.keys()]
  return membership.inProject.permissions.has('read_environment')
    ? { except: others.filter((id) => !mayRead(actor, scope, id)) }
    : { only: others.filter((id) => mayRead(actor, scope, id)) }
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
