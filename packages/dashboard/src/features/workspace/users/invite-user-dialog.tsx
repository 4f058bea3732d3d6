import type { SentLink } from '@burgee/contract'
import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasStatus } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/call.ts'
import { refresh } from '../../../shared/api/queries.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { requireFilled } from '../../../shared/forms/field-errors.ts'
import { NameField } from '../../../shared/forms/name-field.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { SecretDialog } from '../../../shared/ui/secret-dialog.tsx'
import { RoleField } from './role-field.tsx'
import { SentLinkStep } from './sent-link-step.tsx'
import type { WorkspaceRole } from './workspace-roles.ts'

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
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<WorkspaceRole>('viewer')
  const submission = useSubmit(['name', 'email', 'role'], async () => {
    requireFilled([
      ['name', name, 'Give the name of the person.'],
      ['email', email, 'Give the e-mail with which they sign in.'],
    ])
    const sent = await call('inviteUser', { body: { name, email: email.trim(), role } })
    void refresh(client, 'listUsers', 'listMemberCandidates')
    if (sent.link !== null) return onCreated(sent)
    notifySuccess({ message: `The invitation is sent to ${sent.sent_to}.` })
    onClose()
  })
  const { errors, failure } = submission
  const isTaken = hasStatus(failure, 409)
  return (
    <DialogForm
      submission={{ ...submission, failure: isTaken ? null : failure }}
      submitLabel="Invite user"
      onCancel={onClose}
    >
      <NameField value={name} error={errors.name} onChange={setName} />
      <TextInput
        label="E-mail"
        type="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={isTaken ? 'Another user has this e-mail.' : errors.email}
        autoComplete="off"
      />
      <RoleField role={role} onChange={setRole} error={errors.role} />
    </DialogForm>
  )
}
