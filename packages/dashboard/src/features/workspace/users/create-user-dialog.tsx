import { SecretDialog } from '../../../shared/ui/secret-dialog.tsx'
import { SecretStep } from '../../../shared/ui/secret-step.tsx'
import { CreateUserForm, type FirstCredentials } from './create-user-form.tsx'

interface CreateUserDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** First the user's details, then the password to hand over. It is not shown again. */
export function CreateUserDialog({ isOpen, onClose }: CreateUserDialogProps) {
  return (
    <SecretDialog<FirstCredentials>
      isOpen={isOpen}
      onClose={onClose}
      title="Create user"
      secretTitle="Hand over the password"
      form={(onCreated) => <CreateUserForm onCreated={onCreated} onCancel={onClose} />}
      secret={(created, onDone) => (
        <SecretStep
          label={`Password of ${created.email}`}
          secret={created.password}
          hint="It is not shown again. They can change it under “My account”."
          confirmation="I have handed it over"
          onDone={onDone}
        >
          They sign in with their e-mail and this password. Make them a member of the projects that they work
          on.
        </SecretStep>
      )}
    />
  )
}
