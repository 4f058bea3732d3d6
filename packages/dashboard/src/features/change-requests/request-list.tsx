import type { ChangeRequest } from '@burgee/contract'
import { Group, Text } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { formatPhrase } from '../../parts/flag-diff/format-phrase.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Time } from '../../shared/ui/time.tsx'
import classes from './change-requests.module.css'
import { describeChange } from './describe-change.ts'
import { describeOperation } from './describe-operation.ts'
import { focusNeighbor } from './focus-neighbor.ts'
import { RequestBadges } from './request-badges.tsx'

interface RequestListProps {
  readonly requests: readonly ChangeRequest[]
  /** The id of the one that is open; empty for none. */
  readonly opened: string
  /** True if the requests have different statuses. */
  readonly hasBadges: boolean
}

/** Requests to choose from, newest first. */
export function RequestList({ requests, opened, hasBadges }: RequestListProps) {
  const { project_id, environment_id, environment } = useScope()
  return (
    <ul className={classes.rows} aria-label="Change requests" onKeyDown={focusNeighbor}>
      {requests.map((request) => (
        <li key={request.id}>
          <AnchorLink
            className={classes.row}
            underline="never"
            to="/projects/$project_id/environments/$environment_id/change-requests"
            params={{ project_id, environment_id }}
            search={(before: Readonly<Record<string, unknown>>) => ({ ...before, id: String(request.id) })}
            {...(String(request.id) === opened && { 'aria-current': 'true' as const })}
          >
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" fw={550} truncate>
                {describeOperation(request)} {request.flag_key}
              </Text>
              <RequestBadges request={request} environment={environment} hasStatus={hasBadges} />
            </Group>
            <Text size="sm" c="dimmed" truncate>
              {formatPhrase(describeChange(request).join(', '))}
            </Text>
            <Group gap={6} wrap="nowrap">
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
}
