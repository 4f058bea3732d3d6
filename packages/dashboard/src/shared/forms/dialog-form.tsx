import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failure } from '../ui/failure.tsx'
import { FormActions } from './form-actions.tsx'
import type { Submission } from './use-submit.ts'

interface DialogFormProps {
  readonly submission: Pick<Submission, 'formProps' | 'isBusy' | 'failure'>
  /** The verb and the noun: "Create segment". */
  readonly submitLabel: string
  readonly onCancel: () => void
  /** The fields. */
  readonly children: ReactNode
}

/** A form in a dialog or drawer: a failure that belongs to no field, the fields, and the buttons. */
export const DialogForm = ({ submission, submitLabel, onCancel, children }: DialogFormProps) => (
  <form {...submission.formProps}>
    <Stack>
      {submission.failure !== null && <Failure error={submission.failure} />}
      {children}
      <FormActions submitLabel={submitLabel} isBusy={submission.isBusy} onCancel={onCancel} />
    </Stack>
  </form>
)
