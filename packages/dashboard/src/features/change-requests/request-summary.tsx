import type { ChangeRequest, Environment } from '@burgee/contract'
import { Group, Text } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { formatPhrase } from '../../parts/flag-diff/format-phrase.ts'
import { Time } from '../../shared/ui/time.tsx'
import { describeChange } from './describe-change.ts'
import { describeOperation } from './describe-operation.ts'
import { RequestBadges } from './request-badges.tsx'

interface RequestSummaryProps {
  readonly request: ChangeRequest
  readonly environment?: Environment | undefined
  /** True if the list has requests of different statuses. */
  readonly hasStatus: boolean
  /** The names of its project and environment, where the list has requests of several. */
  readonly place?: string
}

/** The lines of a request in a list: what it does, what changes, and who requested it when. */
export const RequestSummary = ({ request, environment, hasStatus, place }: RequestSummaryProps) => (
  <>
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Text size="sm" fw={550} truncate>
        {describeOperation(request)} {request.flag_key}
      </Text>
      <Group gap={6} wrap="nowrap">
        <RequestBadges request={request} environment={environment} hasStatus={hasStatus} />
      </Group>
    </Group>
    <Text size="sm" c="dimmed" lineClamp={2}>
      {formatPhrase(describeChange(request).join(', '))}
    </Text>
    <Group gap={6} wrap="nowrap">
      {place !== undefined && (
        <Text size="xs" truncate>
          {place}
        </Text>
      )}
      <Text size="xs" c="dimmed" truncate>
        {request.requested_by}
      </Text>
      <Time at={request.created_at} size="xs" style={{ flex: 'none' }} />
      {request.scheduled_at && <IconCalendarTime size={14} aria-label="For a later time" />}
    </Group>
  </>
)
