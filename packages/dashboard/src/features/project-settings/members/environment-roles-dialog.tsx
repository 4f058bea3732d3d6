import type { Member } from '@burgee/contract'
import { Alert, Modal, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { roleName, useRoles } from '../../../parts/roles/use-roles.ts'
import { call } from '../../../shared/api/call.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { EnvironmentDot } from '../../../shared/ui/environment-dot.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { changedRoles, rolesByEnvironment } from './environment-roles.ts'
import { roleOptions } from './project-roles.ts'

interface EnvironmentRolesDialogProps {
  readonly member: Member
  /** True for one's own roles, unless one is a workspace admin. */
  readonly losesAccess: boolean
  readonly onClose: () => void
}

/** The choice of another role in single environments. */
export const EnvironmentRolesDialog = (props: EnvironmentRolesDialogProps) => (
  <Modal
    opened
    onClose={props.onClose}
    closeOnClickOutside={false}
    title={`Roles of ${props.member.name} in environments`}
  >
    <EnvironmentRolesForm {...props} />
  </Modal>
)

/** The value of a select for the role in the project. No role has an empty key. */
const AS_IN_PROJECT = ''

function EnvironmentRolesForm({ member, losesAccess, onClose }: EnvironmentRolesDialogProps) {
  const { environments, project_id } = useScope()
  const known = useRoles()
  const [before] = useState(() => rolesByEnvironment(member))
  const [roles, setRoles] = useState(before)
  const changes = changedRoles(before, roles)
  const submission = useSubmit([], async () => {
    if (changes.length > 0) {
      const params = { project_id, user_id: member.user_id }
      await call('updateMember', { params, body: { environment_roles: changes } })
      notifySuccess({ message: `The roles of ${member.name} are saved.` })
    }
    onClose()
  })
  const choose = (environment_id: string, role: string | null) => {
    const { [environment_id]: _former, ...others } = roles
    setRoles(role ? { ...others, [environment_id]: role } : others)
  }
  const inProject = { value: AS_IN_PROJECT, label: `As in the project: ${roleName(known, member.role)}` }
  return (
    <DialogForm submission={submission} submitLabel="Save roles" onCancel={onClose}>
      <Text size="sm" c="dimmed">
        Another role replaces the one in the project there. It can permit more or less.
      </Text>
      {environments.map(({ color, id, name }) => (
        <Select
          key={id}
          label={name}
          leftSection={<EnvironmentDot color={color} />}
          data={[inProject, ...roleOptions(known, roles[id])]}
          value={roles[id] ?? AS_IN_PROJECT}
          onChange={(value) => choose(id, value)}
          allowDeselect={false}
        />
      ))}
      {losesAccess && changes.length > 0 && (
        <Alert color="yellow" variant="light">
          These are your own roles. Only another admin can give you back what you take from yourself.
        </Alert>
      )}
    </DialogForm>
  )
}
