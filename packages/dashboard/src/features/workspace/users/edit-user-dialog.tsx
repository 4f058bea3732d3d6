import type { User } from '@burgee/contract'
import { Alert, Checkbox, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { changedFields } from '../../../shared/forms/changed-fields.ts'
import { requireFilled } from '../../../shared/forms/field-errors.ts'
import { FormActions } from '../../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { assessDemotion } from './assess-user.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { RoleField } from './role-field.tsx'

interface EditUserDialogProps {
  readonly user: User
  readonly users: readonly User[]
  readonly isMe: boolean
  readonly onClose: () => void
}

export function EditUserDialog({ user, users, isMe, onClose }: EditUserDialogProps) {
  const [before] = useState({ name: user.name, role: user.role })
  const [name, setName] = useState(user.name)
  const [role, setRole] = useState(user.role)
  const [password, setPassword] = useState('')
  const [revoke_tokens, setRevoke] = useState(true)
  const { errors, failure, formProps, isBusy } = useSubmit(['name', 'role', 'password'], async () => {
    requireFilled([['name', name, 'Enter the name of the person.']])
    const newPassword = password !== '' && ({ password, password_policy: 'strict', revoke_tokens } as const)
    const body = { ...changedFields(before, { name, role }), ...newPassword }
    await call('updateUser', { params: { id: user.id }, body })
    notifySuccess({
      message: password === '' ? 'The user is saved.' : 'The user is saved, and signed out elsewhere.',
    })
    onClose()
  })
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} title={`Edit ${user.email}`}>
      <form {...formProps}>
        <Stack>
          {failure !== null && <Failure error={failure} />}
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errors.name}
            autoComplete="off"
            data-autofocus
          />
          <RoleField
            role={role}
            onChange={setRole}
            permission={assessDemotion(user, users)}
            error={errors.role}
          />
          {isMe && role !== 'admin' && (
            <Alert color="yellow" variant="light">
              This is you: you lose this page and every project that you are no member of. Only another admin
              can take that back.
            </Alert>
          )}
          <NewPasswordField
            label="New password"
            description="Leave it empty to keep the present one. A new one signs them out everywhere."
            password={password}
            onChange={setPassword}
            error={errors.password}
          />

          {password !== '' && (
            <Checkbox
              label="Revoke their personal access tokens"
              description="Leave it on if someone else may know the old password."
              checked={revoke_tokens}
              onChange={(event) => setRevoke(event.currentTarget.checked)}
            />
          )}
          <FormActions submitLabel="Save user" isBusy={isBusy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
