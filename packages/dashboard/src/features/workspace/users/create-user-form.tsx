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
import { NewPasswordField } from './new-password-field.tsx'
import { RoleField } from './role-field.tsx'
import type { WorkspaceRole } from './workspace-roles.ts'

/** The credentials that a new user signs in with. */
export interface FirstCredentials {
  readonly email: string
  readonly password: string
}

interface CreateUserFormProps {
  readonly onCreated: (credentials: FirstCredentials) => void
  readonly onCancel: () => void
}

export function CreateUserForm({ onCreated, onCancel }: CreateUserFormProps) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [role, setRole] = useState<WorkspaceRole>('viewer')
  const fields = ['name', 'email', 'password', 'role']
  const submission = useSubmit(fields, async () => {
    requireFilled([
      ['name', name, 'Say what they are called.'],
      ['email', email, 'Say with which e-mail they sign in.'],
      ['password', password, 'Type a password, or generate one.'],
    ])
    await call('createUser', {
      body: { name, email: email.trim(), role, password, password_policy: 'strict' },
    })
    onCreated({ email: email.trim(), password })
    void refresh(client, 'listUsers', 'listMemberCandidates')
  })
  const { errors, failure } = submission
  const isTaken = hasStatus(failure, 409)
  return (
    <DialogForm
      submission={{ ...submission, failure: isTaken ? null : failure }}
      submitLabel="Create user"
      onCancel={onCancel}
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
      <NewPasswordField label="Password" password={password} onChange={setPassword} error={errors.password} />
    </DialogForm>
  )
}
