import type { SentLink } from '@burgee/contract'
import { send } from '../../../shared/api/call.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { SecretDialog } from '../../../shared/ui/secret-dialog.tsx'
import { SentLinkStep } from './sent-link-step.tsx'
import { usePersonFields } from './use-person-fields.tsx'

interface InviteUserDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Invites a person. Where no e-mail is sent, the link to hand over comes next. */
export function InviteUserDialog({ isOpen, onClose }: InviteUserDialogProps) {
  return (
    <SecretDialog<SentLink>
      isOpen={isOpen}
      onClose={onClose}
      title="Invite user"
      secretTitle="Hand over the link"
      form={(onCreated) => <InviteUserForm onCreated={onCreated} onClose={onClose} />}
      secret={(sent, onDone) => <SentLinkStep sent={sent} onDone={onDone} />}
    />
  )
}

interface InviteUserFormProps {
  readonly onCreated: (sent: SentLink) => void
  readonly onClose: () => void
}

function InviteUserForm({ onCreated, onClose }: InviteUserFormProps) {
  const { fields, submission } = usePersonFields(async (person) => {
    const { body: sent } = await send('inviteUser', { body: person })
    if (sent.link !== null) return onCreated(sent)
    notifySuccess({ message: `The invitation is sent to ${sent.sent_to}.` })
    onClose()
  })
  return (
    <DialogForm submission={submission} submitLabel="Invite user" onCancel={onClose}>
      {fields}
    </DialogForm>
  )
}
