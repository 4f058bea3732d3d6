import type { AccessTokenInput, CreatedAccessToken } from '@burgee/contract'
import { SecretDialog } from '../../shared/ui/secret-dialog.tsx'
import { SecretStep } from '../../shared/ui/secret-step.tsx'
import { CreateTokenForm } from './create-token-form.tsx'

interface CreateTokenDialogProps {
  readonly isOpen: boolean
  /** Creates the token, and refreshes the list that shows it. */
  readonly create: (input: AccessTokenInput) => Promise<CreatedAccessToken>
  readonly onClose: () => void
}

/** First what the token may do, then the token itself. */
export function CreateTokenDialog({ create, isOpen, onClose }: CreateTokenDialogProps) {
  return (
    <SecretDialog<CreatedAccessToken>
      isOpen={isOpen}
      onClose={onClose}
      title="Create token"
      secretTitle="Store the token now"
      form={(onCreated) => <CreateTokenForm create={create} onCreated={onCreated} onCancel={onClose} />}
      secret={(created, onDone) => (
        <SecretStep
          label={created.name}
          secret={created.token}
          hint="This is the only time that the whole token is shown. Lost it? Revoke it and create another one."
          confirmation="I have stored it"
          onDone={onDone}
        />
      )}
    />
  )
}
