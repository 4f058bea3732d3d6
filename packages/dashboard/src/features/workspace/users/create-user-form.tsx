import { useState } from 'react'
import { send } from '../../../shared/api/call.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { usePersonFields } from './use-person-fields.tsx'

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
  const [password, setPassword] = useState('')
  const { fields, submission } = usePersonFields(
    async (person) => {
      await send('createUser', { body: { ...person, password, password_policy: 'strict' } })
      onCreated({ email: person.email, password })
    },
    [['password', password, 'Enter a password, or generate one.']],
  )
  return (
    <DialogForm submission={submission} submitLabel="Create user" onCancel={onCancel}>
      {fields}
      <NewPasswordField
        label="Password"
        password={password}
        onChange={setPassword}
        error={submission.errors.password}
      />
    </DialogForm>
  )
}
