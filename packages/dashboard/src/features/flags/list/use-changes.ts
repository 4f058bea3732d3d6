import type { AuditEntry } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { endpointQuery } from '../../../shared/api/queries.ts'

export type LastChange = Pick<AuditEntry, 'actor_email' | 'created_at'>

/** Who changed a flag last and when, by key, as far back as the newest page of the audit log goes. */
export function useChanges(env_id: string): ReadonlyMap<string, LastChange> | undefined {
  const { data } = useQuery(endpointQuery('listEnvironmentAudit', { params: { env_id } }))
  return useMemo(() => data && lastChanges(data), [data])
}

function lastChanges(entries: readonly AuditEntry[]): ReadonlyMap<string, LastChange> {
  const changes = new Map<string, LastChange>()
  for (const { action, actor_email, created_at, flag_key } of entries) {
    if (flag_key !== '' && !LEAVES_AS_IS.has(action) && !changes.has(flag_key)) {
      changes.set(flag_key, { actor_email, created_at })
    }
  }
  return changes
}

/** Asks for a change, or plans one: the flag is still as it was. */
const LEAVES_AS_IS: ReadonlySet<string> = new Set([
  'schedule',
  'unschedule',
  'change_request.open',
  'change_request.reject',
  'change_request.cancel',
] satisfies AuditEntry['action'][])
