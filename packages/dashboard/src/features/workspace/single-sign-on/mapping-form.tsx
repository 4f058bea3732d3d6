import { GROUP_NAME_MAX_LENGTH } from '@burgee/contract'
import { Autocomplete, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasStatus } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/call.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { requireFilled } from '../../../shared/forms/field-errors.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'

const WORKSPACE = 'workspace'

interface MappingFormProps {
  readonly initialGroup?: string
  /** Names of groups that the identity provider has sent. */
  readonly suggested?: readonly string[]
  readonly onDone: () => void
}

/** A group and the role that it gives. */
export function MappingForm({ initialGroup = '', onDone, suggested = [] }: MappingFormProps) {
  const projects = useQuery(endpointQuery('listProjects', {})).data ?? []
  const roles = useQuery(endpointQuery('listRoles', {})).data ?? []
  const [group, setGroup] = useState(initialGroup)
  const [place, setPlace] = useState<string | null>(null)
  const [role, setRole] = useState<string | null>('viewer')
  const submission = useSubmit(['group', 'project_id', 'role'], async () => {
    requireFilled([
      ['group', group, 'Enter the group as the identity provider names it.'],
      ['project_id', place ?? '', 'Choose a project or the workspace.'],
      ['role', role ?? '', 'Choose a role.'],
    ])
    const project_id = place === WORKSPACE ? null : place
    await call('createGroupMapping', { body: { group, project_id, role: role ?? '' } })
    onDone()
  })
  const { errors, failure } = submission
  const isTaken = hasStatus(failure, 409)
  // Custom roles are roles of projects.
  const offered = roles.filter(({ is_built_in }) => is_built_in || place !== WORKSPACE)
  return (
    <DialogForm
      submission={{ ...submission, failure: isTaken ? null : failure }}
      submitLabel="Add group"
      onCancel={onDone}
    >
      <Autocomplete
        label="Group"
        description="The name or id, exactly as the provider sends it."
        value={group}
        maxLength={GROUP_NAME_MAX_LENGTH}
        autoComplete="off"
        spellCheck={false}
        data={[...new Set(suggested)]}
        limit={20}
        data-autofocus={initialGroup === '' || undefined}
        onChange={setGroup}
        error={isTaken ? 'This group has a role there already.' : errors.group}
      />
      <Select
        label="Where"
        placeholder="Project or workspace"
        data-autofocus={initialGroup !== '' || undefined}
        data={[
          { value: WORKSPACE, label: 'Workspace' },
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={place}
        onChange={setPlace}
        error={errors.project_id}
        searchable
      />
      <Select
        label="Role"
        description={
          place === WORKSPACE ? 'An admin of the workspace may do everything in every project.' : undefined
        }
        data={offered.map(({ key, name }) => ({ value: key, label: name }))}
        value={role}
        onChange={setRole}
        error={errors.role}
        allowDeselect={false}
      />
    </DialogForm>
  )
}
