import type { GroupMapping } from '@burgee/contract'
import type { Transaction } from 'kysely'
import type { AuditAction, WorkspaceAudit } from '../../changes/index.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findPeopleOfGroup } from './mapping-queries.ts'
import { grantPerson } from './person-rights.ts'

/** Applies the table of groups to everyone whose last login was in the group. Returns the audit entries. */
export async function applyToGroup(
  tx: Transaction<Database>,
  group: string,
  now: string,
): Promise<readonly WorkspaceAudit[]> {
  const audit: WorkspaceAudit[] = []
  for (const { groups, user_id } of await findPeopleOfGroup(tx, group)) {
    const granted = await grantPerson(tx, { id: user_id, groups }, now)
    audit.push(...(granted?.audit ?? []))
  }
  return audit
}

interface MappingChange {
  readonly action: AuditAction
  /** Null when the row did not exist. At least one of the two is present. */
  readonly before: GroupMapping | null
  readonly after: GroupMapping | null
}

/** Builds the audit entry of a change to the table of groups. */
export const mappingAudit = ({ action, after, before }: MappingChange): WorkspaceAudit => ({
  project_id: null,
  environment_id: null,
  action,
  before,
  after,
  metadata: { origin: 'direct', resource: `group_mapping:${(after ?? before)?.id}` },
})
