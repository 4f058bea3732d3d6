import type { SentLink, User } from '@burgee/contract'
import { Stack, Text } from '@mantine/core'
import { send } from '../../../shared/api/call.ts'
import { FormActions } from '../../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { SecretDialog } from '../../../shared/ui/secret-dialog.tsx'
import { SentLinkStep } from './sent-link-step.tsx'

interface UserLinkDialogProps {
  readonly user: User
  readonly onClose: () => void
}

/** Creates a link with which a user sets a new password. Where no e-mail is sent, it is shown once. */
export function UserLinkDialog({ user, onClose }: UserLinkDialogProps) {
  return (
    <SecretDialog<SentLink>
      isOpen
      onClose={onClose}
      title={`New password for ${user.name}`}
      secretTitle="Hand over the link"
      form={(onCreated) => <UserLinkForm user={user} onCreated={onCreated} onClose={onClose} />}
      secret={(sent, onDone) => <SentLinkStep sent={sent} onDone={onDone} />}
    />
  )
}

interface UserLinkFormProps extends UserLinkDialogProps {
  readonly onCreated: (sent: SentLink) => void
}

function UserLinkForm({ user: { email, id }, onCreated, onClose }: UserLinkFormProps) {
  const { failure, formProps, isBusy } = useSubmit([], async () => {
    const { body: sent } = await send('createUserLink', { params: { id } })
    if (sent.link !== null) return onCreated(sent)
    notifySuccess({ message: `The link is sent to ${sent.sent_to}.` })
    onClose()
  })
  return (
    <form {...formProps}>
      <Stack>
        {failure !== null && <Failure error={failure} />}
        <Text size="sm">
          <b>{email}</b> gets a link with which they set a new password within an hour. Until then the present
          password stays valid. Then their sessions end.
        </Text>
        <FormActions submitLabel="Create link" isBusy={isBusy} onCancel={onClose} />
      </Stack>
    </form>
  )
}
