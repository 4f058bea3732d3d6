import { PLANNED_CHANGES_MAX, type ScheduledChange } from '@burgee/contract'
import { Alert, Checkbox, List, Text } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { describePatch } from '../../../parts/schedule/describe-patch.ts'
import { formatMinute } from '../../../parts/schedule/format-minute.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { countOf } from '../../../shared/ui/count-of.ts'
import type { ApprovalScope } from './approval-labels.ts'

const SHOWN_MAX = 5

interface PlannedNoticeProps {
  readonly environment_id: string
  readonly scope: ApprovalScope
  /** Are change requests to be made of them? */
  readonly isRequested: boolean
  readonly onChange: (isRequested: boolean) => void
}

/** The scheduled changes that were never approved, before approval is switched on: what becomes of them. */
export function PlannedNotice({ environment_id, scope, isRequested, onChange }: PlannedNoticeProps) {
  const { data: planned = [] } = usePlanned(environment_id)
  if (planned.length === 0) return null
  const changes = countOf(Math.min(planned.length, PLANNED_CHANGES_MAX), 'change is', 'changes are')
  const rest = Math.min(planned.length, PLANNED_CHANGES_MAX) - SHOWN_MAX
  return (
    <Alert
      variant="light"
      color="yellow"
      icon={<IconCalendarTime size={18} />}
      title={`${planned.length > PLANNED_CHANGES_MAX ? 'More than ' : ''}${changes} scheduled without an approval`}
    >
      <List size="sm" aria-label="Scheduled without an approval">
        {planned.slice(0, SHOWN_MAX).map((change) => (
          <List.Item key={change.id}>
            <PlannedChange change={change} />
          </List.Item>
        ))}
        {rest > 0 && <List.Item>and {rest} more</List.Item>}
      </List>
      {scope === 'patch' ? (
        <Text size="sm" mt="xs">
          They run at their times without a review: “Edits only” lets scheduled changes pass.
        </Text>
      ) : (
        <Checkbox
          mt="sm"
          label="Make change requests of them"
          description="Their authors become the requesters, and times stay. Otherwise they are refused when they are due."
          checked={isRequested}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )}
    </Alert>
  )
}

/** The scheduled changes without an approval, one more than one call makes requests of. */
const usePlanned = (env_id: string) =>
  useQuery(
    endpointQuery('listScheduledChanges', {
      params: { env_id },
      query: { unapproved: true, limit: PLANNED_CHANGES_MAX + 1 },
    }),
  )

const PlannedChange = ({ change }: { readonly change: ScheduledChange }) => (
  <>
    <b>{change.flag_key}</b>: {describePatch(change.patch).join(', ')}, {formatMinute(change.scheduled_at)},
    by {change.scheduled_by}
  </>
)
