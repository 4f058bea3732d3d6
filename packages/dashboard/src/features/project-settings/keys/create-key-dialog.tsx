import type { CreatedSdkKey } from '@burgee/contract'
import { SecretDialog } from '../../../shared/ui/secret-dialog.tsx'
import { SecretStep } from '../../../shared/ui/secret-step.tsx'
import { CreateKeyForm } from './create-key-form.tsx'
import { KEY_KINDS } from './key-kinds.ts'

interface CreateKeyDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** First what the key is for, then the key itself. */
export function CreateKeyDialog({ isOpen, onClose }: CreateKeyDialogProps) {
  return (
    <SecretDialog<CreatedSdkKey>
      isOpen={isOpen}
      onClose={onClose}
      title="Create SDK key"
      secretTitle="Store the key now"
      form={(onCreated) => <CreateKeyForm onCreated={onCreated} onCancel={onClose} />}
      secret={(created, onDone) => (
        <SecretStep
          label={`${created.name}, for ${created.environment_name}`}
          secret={created.key}
          hint="This is the only time that the whole key is shown. Lost it? Revoke it and create another one."
          confirmation="I have stored it"
          onDone={onDone}
        >
          {KEY_KINDS[created.kind].description}
        </SecretStep>
      )}
    />
  )
}
