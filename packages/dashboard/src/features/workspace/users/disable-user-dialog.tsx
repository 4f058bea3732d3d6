import type { User } from '@burgee/contract'
import { Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { FormActions } from '../../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { countOf } from '../../../shared/ui/count-of.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { formatInstant } from '../../../shared/ui/format-time.ts'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { describeSettled } from '../describe-settled.ts'
import { ScheduleChoice, type Schedules } from '../schedule-choice.tsx'

interface DisableUserDialogProps {
  readonly user: User
  readonly onClose: () => void
}

/** The number of scheduled changes that are named. */
const NAMED = 5

/** States what disabling ends, and asks about what the person has scheduled. */
export function DisableUserDialog({ user: { id, name }, onClose }: DisableUserDialogProps) {
  const { data: planned = [] } = useQuery(endpointQuery('listUserScheduledChanges', { params: { id } }))
  const [schedules, setSchedules] = useState<Schedules>('keep')
  const { failure, formProps, isBusy } = useSubmit([], async () => {
    const disabled = await call('disableUser', { params: { id }, body: { schedules } })
    notifySuccess({ message: `${name} is disabled.${describeSettled(disabled.schedules)}` })
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title={`Disable ${name}?`}>
      <form {...formProps}>
        <Stack>
          {failure !== null && <Failure error={failure} />}
          <Text size="sm">
            Their sessions, tokens and open pages end at once, and they cannot sign in. Memberships and
            history stay. You can enable them again; ended sessions and tokens do not come back.
          </Text>
          {planned.length > 0 && (
            <ScheduleChoice
              label={countOf(planned.length, 'scheduled change')}
              value={schedules}
              onChange={setSchedules}
            >
              <Text size="xs" c="dimmed" component="ul" m={0} pl="md">
                {planned.slice(0, NAMED).map((change) => (
                  <li key={change.id}>
                    {change.flag_key}, {formatInstant(change.scheduled_at)}
                  </li>
                ))}
                {planned.length > NAMED && <li>and {planned.length - NAMED} more</li>}
              </Text>
            </ScheduleChoice>
          )}
          <FormActions submitLabel="Disable user" isBusy={isBusy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
