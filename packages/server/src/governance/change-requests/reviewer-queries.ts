import type { Approvers } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { Database, Role, StoredApproval } from '../../platform/db/tables.ts'
import { membershipIn, type StoredMembership, toMembership } from '../../structure/roles/index.ts'
import { findNotCounted, type Reviewer } from './approvals.ts'
import type { StoredChangeRequest } from './queries.ts'

interface ReviewerRow {
  readonly request_id: number
  readonly approval: StoredApproval
  readonly user_id: number | null
  readonly role: Role | null
  readonly is_disabled: boolean | null
  readonly membership: StoredMembership | null
  readonly has_key: boolean
  readonly environment_id: string
  readonly require_approval: boolean
  readonly approval_scope: 'patch' | 'all'
  readonly approvers: Approvers
  readonly flag_revision: number | null
}

/**
 * Returns the approvals of pending requests, each with why it does not count now. Requests without approvals
 * are left out.
 */
export async function findApprovals(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly StoredApproval[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ReviewerRow>`
    select c.id as request_id, a.value as approval, u.id as user_id, u.role,
      u.disabled_at is not null as is_disabled, ${membershipIn(sql.ref('e.project_id'), sql.ref('u.id'))} as membership,
      k.id is not null as has_key, e.id as environment_id, e.require_approval, e.approval_scope, e.approvers,
      f.revision as flag_revision
    from change_requests c
    join environments e on e.id = c.environment_id
    cross join lateral json_array_elements(c.approvals) with ordinality a (value, place)
    left join flags f on f.environment_id = c.environment_id and f.key = c.flag_key
    left join users u on u.id = substring(a.value ->> 'identity' from '^user:([0-9]+)$')::int
    left join sdk_keys k on k.id = (a.value ->> 'key_id')::int
    where c.id = any(${[...ids]}::bigint[]) and c.status = 'pending'
    order by c.id, a.place`.execute(db)
  const found = new Map<number, StoredApproval[]>()
  for (const row of rows) {
    const { approval, request_id } = row
    const approvals = found.get(request_id) ?? []
    approvals.push({ ...approval, not_counted: findNotCounted(approval, toReviewer(row)) })
    found.set(request_id, approvals)
  }
  return found
}

const toReviewer = ({
  approval: { key_id },
  environment_id,
  flag_revision,
  has_key,
  is_disabled,
  membership,
  role,
  user_id,
  ...settings
}: ReviewerRow): Reviewer => {
  const place = { environment_id, settings, flag_revision }
  // The setting SDK_KEY has no stored record.
  if (key_id !== undefined)
    return { ...place, credential: has_key || key_id === null ? { kind: 'sdk_key' } : null }
  if (user_id === null || role === null) return { ...place, credential: null }
  return {
    ...place,
    credential: {
      kind: 'user',
      user_id,
      workspaceRole: role,
      isDisabled: is_disabled === true,
      membership: membership && toMembership(membership),
    },
  }
}

/** Returns the requests with why each of their approvals does not count now. */
export async function withApprovalsNow<T extends Pick<StoredChangeRequest, 'id' | 'approvals'>>(
  db: Kysely<Database>,
  requests: readonly T[],
): Promise<T[]> {
  const ids = requests.flatMap(({ approvals, id }) => (approvals.length > 0 ? [id] : []))
  const found = await findApprovals(db, ids)
  return requests.map((request) => ({ ...request, approvals: found.get(request.id) ?? request.approvals }))
}
