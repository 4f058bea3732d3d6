import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { AUDIT_CREDENTIAL_MAX_LENGTH, AUDIT_LIMIT_DEFAULT, AUDIT_LIMIT_MAX } from '../limits.ts'
import { AuditHead, AuditVerification } from '../schemas/audit-chain.ts'
import { AUDIT_GROUPS, AuditEntry, PlacedAuditEntry } from '../schemas/audit-entry.ts'
import { timestamp, uuid } from '../schemas/common.ts'
import { cursorQuery } from './list-query.ts'
import { environmentParams, projectParams } from './params.ts'

const paging = {
  limit: Type.Optional(
    Type.Integer({ default: AUDIT_LIMIT_DEFAULT, description: `Clamped to 1 to ${AUDIT_LIMIT_MAX}` }),
  ),
  offset: Type.Optional(Type.Integer({ default: 0, description: 'Clamped to 0 and above' })),
  ...cursorQuery,
}
const flag_key = Type.Optional(Type.String({ description: 'Only entries of this flag' }))

const id = Type.Optional(Type.Integer({ minimum: 1, description: 'Only the entry with this id' }))

const filters = {
  id,
  environment_id: Type.Optional(uuid({ description: 'Only entries of this environment' })),
  flag_key,
  actor: Type.Optional(Type.String({ description: 'Only entries of this `actor_email`, ignoring case' })),
  action: Type.Optional(
    Type.String({
      description: 'Only entries of this action; with a dot at the end (`auth.`) of all that begin with it',
    }),
  ),
  switched: Type.Optional(
    Type.Enum(['on', 'off'], {
      description: 'Only entries that switched a flag on, or off, by whichever action',
    }),
  ),
  from: Type.Optional(timestamp({ description: 'Only entries of this time and later, RFC 3339' })),
  to: Type.Optional(timestamp({ description: 'Only entries of this time and earlier, RFC 3339' })),
}

const verified = {
  chain: Type.Optional(
    Type.String({ maxLength: 36, description: 'Only this chain: the id of an environment, or `workspace`' }),
  ),
  from_seq: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only this entry and later ones; the one before is trusted',
    }),
  ),
}

export const auditEndpoints = {
  listEnvironmentAudit: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/audit',
    summary: "An environment's audit log, newest first",
    description:
      'Entries are never changed, and remain when their subject is deleted. A page of large entries is shorter than `limit`; `X-Next-Cursor` is present when there are more.',
    tag: 'Audit',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object({ id, flag_key, ...paging }),
    responses: { 200: Type.Array(AuditEntry) },
    sends: ['X-Next-Cursor'],
  }),
  listProjectAudit: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/audit',
    summary: 'The audit log of a project and all its environments, newest first',
    description:
      'With `Accept: application/x-ndjson` all matching entries are streamed, one for each line; `limit` and `offset` are ignored.',
    tag: 'Audit',
    access: 'read_project_audit',
    params: projectParams,
    query: Type.Object({
      ...filters,
      ...paging,
    }),
    responses: { 200: Type.Array(AuditEntry) },
    sends: ['X-Next-Cursor'],
  }),
  listWorkspaceAudit: endpoint({
    method: 'GET',
    path: '/api/audit',
    summary: 'The audit log of the workspace and all its projects, newest first',
    description:
      'Entries of users, access, settings and logins are here only, and those of deleted projects. With `since_id` the entries after that id follow oldest first, for programs that poll: an entry appears at the latest a few seconds after its write, and none appears before one with a smaller id. With `Accept: application/x-ndjson` all matching entries are streamed, one for each line; `limit` and `offset` are ignored.',
    tag: 'Audit',
    access: 'workspace_admin',
    query: Type.Object({
      project_id: Type.Optional(uuid({ description: 'Only entries of this project' })),
      ...filters,
      resource: Type.Optional(
        Type.String({ description: 'Only entries whose `metadata.resource` is this, such as `user:7`' }),
      ),
      group: Type.Optional(
        Type.Enum([...AUDIT_GROUPS], {
          description:
            'Only entries of a group: `flags`, `change_requests`, `authentication`, `people` (users, members, roles, sessions and tokens), `keys`, `projects` (with environments and the workspace), `segments` (with experiments and reports) or `receivers` (webhooks and chat alerts)',
        }),
      ),
      credential: Type.Optional(
        Type.String({
          maxLength: AUDIT_CREDENTIAL_MAX_LENGTH,
          description:
            'Only entries that were written with a credential of this kind, such as `sdk_key`, or with this one: `sdk_key:7`',
        }),
      ),
      since_id: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Only entries with a greater id, oldest first' }),
      ),
      ...paging,
    }),
    responses: { 200: Type.Array(PlacedAuditEntry) },
    sends: ['X-Next-Cursor'],
  }),
  listAuditHeads: endpoint({
    method: 'GET',
    path: '/api/audit/heads',
    summary: 'The ends of all chains of the audit log',
    description:
      'Store them elsewhere, and compare them later with `burgee audit verify --anchors`: a rewritten log does not lead to them.',
    tag: 'Audit',
    access: 'workspace_admin',
    query: Type.Object({
      project_id: Type.Optional(uuid({ description: 'Only chains of this project' })),
    }),
    responses: { 200: Type.Array(AuditHead) },
    listedBy: 'chain',
  }),
  verifyAudit: endpoint({
    method: 'GET',
    path: '/api/audit/verify',
    summary: 'Verifies the chains of the audit log',
    description:
      'The response is NDJSON, one line for each chain as soon as it is verified. Every entry is read and hashed, and verifications take turns. With `project_id`, those who may read the audit log of the project may call it too.',
    tag: 'Audit',
    access: 'workspace_admin',
    accessInProject: 'read_project_audit',
    query: Type.Object({
      project_id: Type.Optional(uuid({ description: 'Only chains of this project' })),
      ...verified,
    }),
    responses: { 200: AuditVerification },
    produces: 'application/x-ndjson',
  }),
  verifyProjectAudit: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/audit/verify',
    summary: "Verifies the chains of a project's environments",
    description:
      'The response is NDJSON, one line for each chain as soon as it is verified. The deletion of the project is in the chain of the workspace.',
    tag: 'Audit',
    access: 'read_project_audit',
    params: projectParams,
    query: Type.Object(verified),
    responses: { 200: AuditVerification },
    produces: 'application/x-ndjson',
  }),
} as const
