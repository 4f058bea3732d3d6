import type { QueryClient } from '@tanstack/react-query'
import { OverrideReason } from '../../parts/impact/index.tsx'
import { Violations } from '../../parts/impact/violations.tsx'
import type { BlockedWrite } from '../../shared/overrides/override-request.ts'
import { readOverridePermission } from '../../shared/scope/read-override-permission.ts'
import type { TextRequestContent } from '../../shared/text-requests/text-request-dialog.tsx'

const LISTED_MAX = 5

/** Returns what the override dialog shows for a blocked write; null for a person who may not override it. */
export async function prepareOverride(
  client: QueryClient,
  project_id: string,
  { environment_id, violations }: BlockedWrite,
): Promise<TextRequestContent | null> {
  const environmentIds = environment_id === undefined ? [] : [environment_id]
  const permission = await readOverridePermission(client, project_id, environmentIds)
  if (!permission.isAllowed) return null
  return {
    cause: <Violations violations={violations.slice(0, LISTED_MAX)} />,
    field: (props) => <OverrideReason {...props} />,
  }
}
