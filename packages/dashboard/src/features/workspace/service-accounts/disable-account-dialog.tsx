import type { ServiceAccount } from '@burgee/contract'
import { Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { FormActions } from '../../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { ScheduleChoice, type Schedules } from '../schedule-choice.tsx'
import { useAccountActions } from './use-account-actions.tsx'

interface DisableAccountDialogProps {
  readonly account: ServiceAccount
  readonly onClose: () => void
}

/** States what disabling ends, and asks about what the service account has scheduled. */
export function DisableAccountDialog({ account, onClose }: DisableAccountDialogProps) {
  const { disable } = useAccountActions(account)
  const [schedules, setSchedules] = useState<Schedules>('keep')
  const { failure, formProps, isBusy } = useSubmit([], async () => {
    await disable(schedules)
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title={`Disable ${account.name}?`}>
      <form {...formProps}>
        <Stack>
          {failure !== null && <Failure error={failure} />}
          <Text size="sm">
            Its tokens stop working at once, and do not come back when it is enabled again. Memberships and
            history stay.
          </Text>
          <ScheduleChoice label="Changes that it has scheduled" value={schedules} onChange={setSchedules} />
          <FormActions submitLabel="Disable service account" isBusy={isBusy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
