import type { CreatedScimToken } from '@burgee/contract'
import { Text } from '@mantine/core'
import { send } from '../../../shared/api/call.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { SecretDialog } from '../../../shared/ui/secret-dialog.tsx'
import { SecretStep } from '../../../shared/ui/secret-step.tsx'

interface ScimTokenDialogProps {
  readonly isOpen: boolean
  /** True while a token exists, which the new one ends. */
  readonly replaces: boolean
  readonly onClose: () => void
}

/** First what a token means, then the token itself. */
export function ScimTokenDialog({ isOpen, onClose, replaces }: ScimTokenDialogProps) {
  return (
    <SecretDialog<CreatedScimToken>
      isOpen={isOpen}
      onClose={onClose}
      title={replaces ? 'Replace token' : 'Create token'}
      secretTitle="Store the token now"
      form={(onCreated) => <ScimTokenForm replaces={replaces} onCreated={onCreated} onCancel={onClose} />}
      secret={({ token }, onDone) => (
        <SecretStep
          label="Token for the identity provider"
          secret={token}
          hint="This is the only time that the whole token is shown. Lost it? Replace it."
          confirmation="I have stored it"
          onDone={onDone}
        />
      )}
    />
  )
}

interface ScimTokenFormProps {
  readonly replaces: boolean
  readonly onCreated: (created: CreatedScimToken) => void
  readonly onCancel: () => void
}

function ScimTokenForm({ onCancel, onCreated, replaces }: ScimTokenFormProps) {
  const submission = useSubmit([], async () => {
    onCreated((await send('createScimToken', {})).body)
  })
  return (
    <DialogForm
      submission={submission}
      submitLabel={replaces ? 'Replace token' : 'Create token'}
      onCancel={onCancel}
    >
      <Text size="sm">
        {replaces
          ? 'The token that the identity provider has now is refused at once. Give it the new one.'
          : 'The identity provider manages accounts and groups with it. It is accepted for nothing else.'}
      </Text>
    </DialogForm>
  )
}
