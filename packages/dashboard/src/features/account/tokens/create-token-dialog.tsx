import type { CreatedAccessToken } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { SecretStep } from '../../../shared/ui/secret-step.tsx'
import { CreateTokenForm } from './create-token-form.tsx'

interface CreateTokenDialogProps {
  readonly is_open: boolean
  readonly onClose: () => void
}

/** First what the token may do, then the token itself, this once: the dialog does not close by accident meanwhile. */
export function CreateTokenDialog({ is_open, onClose }: CreateTokenDialogProps) {
  const [created, setCreated] = useState<CreatedAccessToken | null>(null)
  const done = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Modal
      opened={is_open}
      onClose={done}
      closeOnClickOutside={false}
      closeOnEscape={created === null}
      withCloseButton={created === null}
      title={created ? 'Store the token now' : 'Create token'}
    >
      {created ? (
        <SecretStep
          label={created.name}
          secret={created.token}
          hint="This is the only time that the whole token is shown. Lost it? Revoke it and create another one."
          confirmation="I have stored it"
          onDone={done}
        />
      ) : (
        <CreateTokenForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Modal>
  )
}
