import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { hasStatus } from '../../../shared/api/api-error.ts'
import { requireFilled } from '../../../shared/forms/field-errors.ts'
import { NameField } from '../../../shared/forms/name-field.tsx'
import { type Submission, useSubmit } from '../../../shared/forms/use-submit.ts'
import { RoleField } from './role-field.tsx'
import type { WorkspaceRole } from './workspace-roles.ts'

export interface PersonInput {
  readonly name: string
  readonly email: string
  readonly role: WorkspaceRole
}

interface PersonFields {
  /** For the form. An e-mail that is in use is shown at its field. */
  readonly submission: Submission
  readonly fields: ReactNode
}

/**
 * The name, e-mail and role of a new person, for an invitation and for an account. `action` gets them once
 * name and e-mail are there; `others` are further fields that must be filled.
 */
export function usePersonFields(
  action: (person: PersonInput) => Promise<unknown>,
  others: readonly (readonly [field: string, value: string, message: string])[] = [],
): PersonFields {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<WorkspaceRole>('viewer')
  const shown = ['name', 'email', 'role', ...others.map(([field]) => field)]
  const submission = useSubmit(shown, () => {
    requireFilled([
      ['name', name, 'Enter the name of the person.'],
      ['email', email, 'Enter the e-mail address with which they sign in.'],
      ...others,
    ])
    return action({ name, email: email.trim(), role })
  })
  const { errors, failure } = submission
  const isTaken = hasStatus(failure, 409)
  return {
    submission: { ...submission, failure: isTaken ? null : failure },
    fields: (
      <>
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
      </>
    ),
  }
}
