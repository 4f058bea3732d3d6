import type { PlacedChangeRequest } from '@burgee/contract'
import { Group, Text } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { formatPhrase } from '../../parts/flag-diff/format-phrase.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Time } from '../../shared/ui/time.tsx'
import classes from './change-requests.module.css'
import { describeChange } from './describe-change.ts'
import { describeOperation } from './describe-operation.ts'
import { focusNeighbor } from './focus-neighbor.ts'
import { RequestBadges } from './request-badges.tsx'

interface AllRequestsListProps {
  readonly requests: readonly PlacedChangeRequest[]
  /** True if the requests have different statuses. */
  readonly hasStatus: boolean
}

/** Requests of several projects, each with its place. A link opens one in its environment. */
export const AllRequestsList = ({ requests, hasStatus }: AllRequestsListProps) => (
  <ul className={classes.rows} aria-label="Change requests" onKeyDown={focusNeighbor}>
    {requests.map((request) => (
      <li key={request.id}>
        <AnchorLink
          className={classes.row}
          underline="never"
          to="/projects/$project_id/environments/$environment_id/change-requests"
          params={{ project_id: request.project.id, environment_id: request.environment.id }}
          search={{ id: String(request.id), ...(request.status !== 'pending' && { status: request.status }) }}
        >
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm" fw={550} truncate>
              {describeOperation(request)} {request.flag_key}
            </Text>
            <Group gap={6} wrap="nowrap">
              <RequestBadges request={request} hasStatus={hasStatus} />
            </Group>
          </Group>
          <Text size="sm" c="dimmed" truncate>
            {formatPhrase(describeChange(request).join(', '))}
          </Text>
          <Group gap={6} wrap="nowrap">
            <Text size="xs" truncate>
              {request.project.name} › {request.environment.name}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {request.requested_by}
            </Text>
            <Time at={request.created_at} size="xs" style={{ flex: 'none' }} />
            {request.scheduled_at && <IconCalendarTime size={14} aria-label="For a later time" />}
          </Group>
        </AnchorLink>
      </li>
    ))}
  </ul>
)
