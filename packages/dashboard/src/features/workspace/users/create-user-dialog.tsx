import { Modal } from '@mantine/core'
import { useState } from 'react'
import { SecretStep } from '../../../shared/ui/secret-step.tsx'
import { CreateUserForm, type FirstCredentials } from './create-user-form.tsx'

interface CreateUserDialogProps {
  readonly is_open: boolean
  readonly onClose: () => void
}

/** First who it is, then what they sign in with, to be handed over: nobody sees the password again. */
export function CreateUserDialog({ is_open, onClose }: CreateUserDialogProps) {
  const [created, setCreated] = useState<FirstCredentials | null>(null)
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
      title={created ? 'Hand over the password' : 'Create user'}
    >
      {created ? (
        <SecretStep
          label={`Password of ${created.email}`}
          secret={created.password}
          hint="It is not shown again. They can change it under “My tokens and password”."
          confirmation="I have handed it over"
          onDone={done}
        >
          They sign in with their e-mail and this password. Make them a member of the projects that they work
          on.
        </SecretStep>
      ) : (
        <CreateUserForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Modal>
  )
}
