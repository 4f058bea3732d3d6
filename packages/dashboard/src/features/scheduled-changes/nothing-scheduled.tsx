import { IconCalendarTime } from '@tabler/icons-react'
import { serverUrl } from '../../shared/api/base-path.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { ButtonLink } from '../../shared/ui/links.tsx'

/** An empty calendar states how something comes into it. */
export function NothingScheduled() {
  const { project_id, environment_id } = useScope()
  return (
    <EmptyState
      icon={<IconCalendarTime size={22} />}
      title="No scheduled changes"
      snippet={`curl -X POST ${serverUrl()}/api/environments/${environment_id}/flags/FLAG_KEY/scheduled-changes \\
  -H "Authorization: Bearer $BURGEE_TOKEN" -H "Content-Type: application/json" \\
  -d '{"scheduled_at": "2030-01-01T09:00:00Z", "patch": {"is_enabled": true}}'`}
      action={
        <ButtonLink
          variant="light"
          to="/projects/$project_id/environments/$environment_id/flags"
          params={{ project_id, environment_id }}
        >
          Choose a flag
        </ButtonLink>
      }
    >
      Open a flag, change it, and choose “Schedule…” instead of saving: launches and ramps then run
      automatically. Or do it from a script:
    </EmptyState>
  )
}
