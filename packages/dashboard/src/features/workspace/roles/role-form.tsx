import { type CustomRole, type Permission, ROLE_KEY_MAX_LENGTH, ROLE_KEY_PATTERN } from '@burgee/contract'
import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PermissionCheckboxes } from '../../../parts/roles/permission-checkboxes.tsx'
import { hasStatus } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/call.ts'
import { changedFields } from '../../../shared/forms/changed-fields.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { requireFields } from '../../../shared/forms/field-errors.ts'
import { NameField } from '../../../shared/forms/name-field.tsx'
import { suggestKey } from '../../../shared/forms/suggest-key.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { RoleChangePreview } from './role-change-preview.tsx'

interface RoleFormProps {
  readonly roles: readonly CustomRole[]
  readonly edited: CustomRole | null
  readonly copied: string
  readonly onDone: () => void
}

const KEY = new RegExp(ROLE_KEY_PATTERN)

export function RoleForm({ roles, edited: role, copied, onDone }: RoleFormProps) {
  const permissionsOf = (key: string) => roles.find((other) => other.key === key)?.permissions ?? []
  const [start, setStart] = useState(copied)
  const [name, setName] = useState(role?.name ?? '')
  const [ownKey, setOwnKey] = useState<string | null>(null)
  const [description, setDescription] = useState(role?.description ?? '')
  const [permissions, setPermissions] = useState<readonly Permission[]>(
    role?.permissions ?? permissionsOf(copied),
  )
  const key = ownKey ?? suggestKey(name, ROLE_KEY_MAX_LENGTH)
  const save = useSaveRole(role)
  const submission = useSubmit(['name', 'key', 'description'], async () => {
    requireFields([
      ['name', name.trim() !== '', 'Enter a name.'],
      ['key', role !== null || KEY.test(key), 'Use lower-case letters, digits, hyphens and underscores.'],
    ])
    await save({ key, name, description, permissions: [...permissions] })
    onDone()
  })
  const { errors, failure } = submission
  const isTaken = role === null && hasStatus(failure, 409) && roles.some((other) => other.key === key)
  return (
    <DialogForm
      submission={{ ...submission, failure: isTaken ? null : failure }}
      submitLabel={role ? 'Save role' : 'Create role'}
      onCancel={onDone}
    >
      {!role && (
        <Select
          label="Begin with a copy of"
          data={roles.map((other) => ({ value: other.key, label: other.name }))}
          value={start}
          onChange={(value) => {
            setStart(value ?? start)
            setPermissions(permissionsOf(value ?? start))
          }}
          allowDeselect={false}
        />
      )}
      <NameField placeholder="Release manager" value={name} error={errors.name} onChange={setName} />
      {!role && (
        <TextInput
          label="Key"
          description="For the API and the audit log. It never changes."
          value={key}
          onChange={(event) => setOwnKey(event.currentTarget.value)}
          error={isTaken ? 'Another role has this key.' : errors.key}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <TextInput
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={errors.description}
        autoComplete="off"
      />
      <PermissionCheckboxes permissions={permissions} onChange={setPermissions} />
      <RoleChangePreview role={role} permissions={permissions} />
    </DialogForm>
  )
}

interface RoleFields {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly permissions: Permission[]
}

/** Creates the role, or sends what has changed of it. */
function useSaveRole(role: CustomRole | null): (fields: RoleFields) => Promise<void> {
  return async ({ key, ...fields }) => {
    if (role) {
      const { description, name, permissions } = role
      const body = changedFields({ name, description, permissions }, fields)
      await call('updateRole', { params: { key: role.key }, body })
    } else {
      await call('createRole', { body: { key, ...fields } })
    }
    notifySuccess({ message: role ? 'The role is saved.' : 'The role is created.' })
  }
}
