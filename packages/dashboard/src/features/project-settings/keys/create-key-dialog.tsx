import type { CreatedSdkKey } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { SecretStep } from '../../../shared/ui/secret-step.tsx'
import { CreateKeyForm } from './create-key-form.tsx'
import { KEY_KINDS } from './key-kinds.ts'

interface CreateKeyDialogProps {
  readonly is_open: boolean
  readonly onClose: () => void
}

/** First what the key is for, then the key itself, this once: the dialog does not close by accident meanwhile. */
export function CreateKeyDialog({ is_open, onClose }: CreateKeyDialogProps) {
  const [created, setCreated] = useState<CreatedSdkKey | null>(null)
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
      title={created ? 'Store the key now' : 'Create SDK key'}
    >
      {created ? (
        <SecretStep
          label={`${created.name}, for ${created.environment_name}`}
          secret={created.key}
          hint="This is the only time that the whole key is shown. Lost it? Revoke it and create another one."
          confirmation="I have stored it"
          onDone={done}
        >
          {KEY_KINDS[created.kind].description}
        </SecretStep>
      ) : (
        <CreateKeyForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Modal>
  )
}
