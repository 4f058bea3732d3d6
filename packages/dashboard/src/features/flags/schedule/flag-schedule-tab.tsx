import type { Flag, ScheduledChange } from '@burgee/contract'
import { Stack, Title } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ScheduleCard } from '../../../parts/schedule/schedule-card.tsx'
import { schedulePoll } from '../../../parts/schedule/schedule-state.ts'
import { serverUrl } from '../../../shared/api/base-path.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'

/** The flag's scheduled changes, those that wait and those that ran. */
export function FlagScheduleTab({ flag }: { readonly flag: Flag }) {
  const { environment_id } = useScope()
  const changes = useQuery({
    ...endpointQuery('listFlagScheduledChanges', { params: { env_id: environment_id, key: flag.key } }),
    refetchInterval: ({ state }) => schedulePoll(state.data, Date.now()),
  })
  if (changes.isPending) return <SkeletonRows rows={3} height={104} />
  if (changes.isLoadingError) {
    return (
      <Failure
        error={changes.error}
        title="The scheduled changes could not be loaded"
        onRetry={changes.refetch}
      />
    )
  }
  if (changes.data.length === 0) return <NothingScheduled flag={flag} env_id={environment_id} />
  const waiting = changes.data.filter(({ executed_at }) => executed_at === null)
  const ran = changes.data.filter(({ executed_at }) => executed_at !== null).reverse()
  return (
    <Stack gap="xl">
      <Changes title="Waiting" changes={waiting} flag={flag} />
      <Changes title="Ran" changes={ran} flag={flag} />
    </Stack>
  )
}

interface ChangesProps {
  readonly title: string
  readonly changes: readonly ScheduledChange[]
  readonly flag: Flag
}

function Changes({ title, changes, flag }: ChangesProps) {
  if (changes.length === 0) return null
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h5">
        {title}
      </Title>
      {changes.map((change) => (
        <ScheduleCard key={change.id} change={change} changes={changes} flag={flag} />
      ))}
    </Stack>
  )
}

function NothingScheduled({ flag, env_id }: { readonly flag: Flag; readonly env_id: string }) {
  return (
    <EmptyState
      icon={<IconCalendarTime size={22} />}
      title="No scheduled changes"
      snippet={`curl -X POST ${serverUrl()}/api/environments/${env_id}/flags/${flag.key}/scheduled-changes \\
  -H "Authorization: Bearer $BURGEE_TOKEN" -H "Content-Type: application/json" \\
  -d '{"scheduled_at": "${tomorrow()}", "patch": {"rollout_percentage": 50}}'`}
    >
      Change the flag and choose “Schedule…” instead of saving: the change then runs automatically at that
      time. Or do it from a script:
    </EmptyState>
  )
}

const DAY_MS = 24 * 3_600_000

const tomorrow = (): string => `${new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)}T09:00:00Z`
