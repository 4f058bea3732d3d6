import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { requireFilled } from '../../shared/forms/field-errors.ts'
import { FormActions } from '../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { Failure } from '../../shared/ui/failure.tsx'

interface ForgotPasswordDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Requests a link for a new password by e-mail. It never states whether an account exists. */
export function ForgotPasswordDialog({ isOpen, onClose }: ForgotPasswordDialogProps) {
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  const { errors, failure, formProps, isBusy } = useSubmit(['email'], async () => {
    requireFilled([['email', email, 'Enter your e-mail address.']])
    await call('requestPasswordReset', { body: { email: email.trim() } })
    setSent(true)
  })
  const close = () => {
    setSent(false)
    onClose()
  }
  return (
    <Modal opened={isOpen} onClose={close} title="Forgot your password?">
      {isSent ? (
        <Text size="sm" role="status">
          If there is an account with this address, an e-mail with a link is on its way. The link is valid for
          one hour.
        </Text>
      ) : (
        <form {...formProps}>
          <Stack>
            {failure !== null && <Failure error={failure} />}
            <TextInput
              label="E-mail"
              description="You receive a link with which you set a new password."
              type="email"
              autoComplete="username"
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              error={errors.email}
              data-autofocus
            />
            <FormActions submitLabel="Send the link" isBusy={isBusy} onCancel={close} />
          </Stack>
        </form>
      )}
    </Modal>
  )
}
