import '@mantine/dates/styles.css'
import type { EndpointInput, Flag } from '@burgee/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FlagDiff } from '../../../parts/flag-diff/flag-diff.tsx'
import { ImpactPanel, patchOfFlag } from '../../../parts/impact/index.tsx'
import { bothPermissions, useComment } from '../../../shared/comments/use-comment.tsx'
import { applyPatch, type FlagPatchValue } from '../../../shared/diff/apply-patch.ts'
import { ChangeActions } from '../../../shared/forms/change-actions.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { needsApproval } from '../../../shared/scope/needs-approval.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { formatRelative } from '../../../shared/ui/format-time.ts'
import { draftOf } from '../editor/draft.ts'
import { ReviewWarnings } from '../editor/review-warnings.tsx'
import { formatUtc, fromLocalText, toLocalText, usualMoments } from './local-time.ts'
import { scheduleChange } from './schedule-change.ts'

export interface ScheduleFormProps {
  readonly flag: Flag
  /** A JSON merge patch of the flag. */
  readonly patch: EndpointInput<'patchFlag'>['body']
  readonly onClose: () => void
  /** The change is scheduled, or waits for approval: the draft may go. */
  readonly onScheduled: () => void
}

/** The time of the change, in the person's own time zone and in UTC, and its effect. */
export function ScheduleForm({ flag, patch, onClose, onScheduled }: ScheduleFormProps) {
  const client = useQueryClient()
  const permission = usePermissions()('createScheduledChange')
  const { project_id, environment, environment_id } = useScope()
  const [now] = useState(() => new Date())
  const [text, setText] = useState<string | null>(null)
  const moment = fromLocalText(text)
  const after = applyPatch(flag, patch as FlagPatchValue)
  const isAsking = needsApproval(environment)
  const { comment, field, permission: commented } = useComment(environment)
  const { formProps, failure, errors, isBusy } = useSubmit(['scheduled_at'], async () => {
    if (!moment || !environment) return
    const scheduled_at = moment.toISOString()
    const order = { project_id, environment, flag_key: flag.key, scheduled_at, patch, comment }
    await scheduleChange(client, order)
    onScheduled()
    onClose()
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <DateTimePicker
          label="When"
          description={`In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}`}
          placeholder="Choose a date and a time"
          valueFormat="ddd D MMM YYYY, HH:mm"
          minDate={toLocalText(now).slice(0, 10)}
          value={text}
          onChange={setText}
          error={errors.scheduled_at}
          popoverProps={{ attributes: { dropdown: { 'aria-label': 'Date and time' } } }}
          previousLabel="Previous month"
          nextLabel="Next month"
          weekendDays={[]}
          hideOutsideDates
          submitButtonProps={{ 'aria-label': 'Take this date and time' }}
          timePickerProps={{
            hoursInputLabel: 'Hours',
            minutesInputLabel: 'Minutes',
          }}
          data-autofocus
        />
        <Group gap={6}>
          {usualMoments(now).map((usual) => (
            <Button
              key={usual.label}
              variant="default"
              size="compact-sm"
              onClick={() => setText(toLocalText(usual.moment))}
            >
              {usual.label}
            </Button>
          ))}
        </Group>
        <Text size="sm" c="dimmed" mih={22} aria-live="polite">
          {moment && whenRuns(moment, now)}
        </Text>
        <Stack gap={6}>
          <Text size="sm" fw={600}>
            What will change
          </Text>
          <FlagDiff before={flag} after={after} />
          <ImpactPanel
            project_id={project_id}
            environment_id={environment_id}
            changes={[patchOfFlag(flag.key, patch)]}
            names={after.variant_names}
          />
        </Stack>
        <ReviewWarnings flag_key={flag.key} draft={draftOf(after)} />
        {isAsking && (
          <Text size="sm">
            Changes in {environment?.name} need approval: someone else approves it first, then it runs at that
            time.
          </Text>
        )}
        {field}
        {failure !== null && <Failure error={failure} title="Nothing was scheduled" />}
        <ChangeActions
          label="Schedule change"
          isAsking={isAsking}
          isBusy={isBusy}
          isReady={moment !== null}
          permission={bothPermissions(permission, commented)}
          onClose={onClose}
        />
      </Stack>
    </form>
  )
}

function whenRuns(moment: Date, now: Date): string {
  if (moment <= now) return `${formatUtc(moment)} has passed: the change runs at once.`
  return `Runs ${formatRelative(moment.toISOString(), now.getTime())}, at ${formatUtc(moment)}.`
}
