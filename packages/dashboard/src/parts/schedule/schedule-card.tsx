import type { Flag, ScheduledChange } from '@burgee/contract'
import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { plainText } from '../../shared/api/plain-text.ts'
import { CommentText } from '../../shared/comments/comment-text.tsx'
import { applyPatch } from '../../shared/diff/apply-patch.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { Gated } from '../../shared/ui/gated.tsx'
import { Time } from '../../shared/ui/time.tsx'
import { FlagDiff } from '../flag-diff/flag-diff.tsx'
import { capitalize } from '../flag-diff/format-phrase.ts'
import { describePatch } from './describe-patch.ts'
import { flagAt } from './flag-at.ts'
import { formatMinute } from './format-minute.ts'
import { ScheduleBadge } from './schedule-badge.tsx'
import classes from './schedule-card.module.css'
import { useCancelSchedule } from './use-cancel-schedule.ts'

interface ScheduleCardProps {
  readonly change: ScheduledChange
  /** As it is now; undefined where it is not known, or there is none. */
  readonly flag: Flag | undefined
  /** All of the flag or environment: those that come first change what this one does. */
  readonly changes: readonly ScheduledChange[]
  /** Above the rest, where the page is not the flag's own. */
  readonly heading?: ReactNode
}

/** One scheduled change: when, by whom, what it does, and what became of it. */
export function ScheduleCard({ change, changes, flag, heading }: ScheduleCardProps) {
  const permission = usePermissions()('deleteScheduledChange')
  const cancel = useCancelSchedule()
  const { error, executed_at, patch, scheduled_at, scheduled_by } = change
  const isWaiting = executed_at === null
  const before = flag && flagAt(flag, change, changes)
  return (
    <Paper withBorder px="md" py="sm" radius="md" className={classes.card}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
          <Stack gap={4} miw={0}>
            {heading}
            <Group gap="2px 8px">
              <Text size="sm" fw={600} component="time" dateTime={scheduled_at}>
                {formatMinute(scheduled_at)}
              </Text>
              <ScheduleBadge change={change} />
              <Time at={scheduled_at} />
              <Text size="sm" c="dimmed">
                by {scheduled_by}
              </Text>
            </Group>
          </Stack>
          {isWaiting && (
            <Gated permission={permission}>
              <Button
                variant="default"
                size="xs"
                flex="none"
                onClick={() => cancel(change)}
                aria-label={`Cancel the change of ${change.flag_key} at ${formatMinute(scheduled_at)}`}
              >
                Cancel change
              </Button>
            </Gated>
          )}
        </Group>
        <CommentText comment={change.comment} />
        {error !== null && (
          <Text size="sm" c="red" role="note">
            {isWaiting ? 'Not applied yet' : 'The flag was left as it was'}: {plainText(error)}
          </Text>
        )}
        {isWaiting && before ? (
          <FlagDiff before={before} after={applyPatch(before, patch)} />
        ) : (
          <Text size="sm">{capitalize(describePatch(patch).join(' · '))}</Text>
        )}
      </Stack>
    </Paper>
  )
}
