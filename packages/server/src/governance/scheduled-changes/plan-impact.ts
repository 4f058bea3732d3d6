import type { ScheduledChange } from '@burgee/contract'
import type { EnvironmentWrite } from '../../changes/index.ts'
import type { RecordImpact } from '../../targeting/stored-impacts/index.ts'

/** Has the impact of a scheduled change stored after the commit. */
export function planImpact(
  { recordImpact }: { readonly recordImpact: RecordImpact },
  { afterCommit, environment }: EnvironmentWrite,
  { flag_key, id, patch }: Pick<ScheduledChange, 'id' | 'flag_key' | 'patch'>,
): void {
  afterCommit(() =>
    recordImpact({
      project_id: environment.project_id,
      environment_id: environment.id,
      subject: `scheduled_change:${id}`,
      change: { flag_key, operation: 'patch', patch },
    }),
  )
}
