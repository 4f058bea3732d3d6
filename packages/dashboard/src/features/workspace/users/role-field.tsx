import { Group, Radio, Stack, Text } from '@mantine/core'
import type { Permission } from '../../../shared/scope/use-permissions.ts'
import { toWorkspaceRole, WORKSPACE_ROLES, type WorkspaceRole } from './workspace-roles.ts'

interface RoleFieldProps {
  readonly role: WorkspaceRole
  readonly onChange: (role: WorkspaceRole) => void
  /** The permission to change the role. */
  readonly permission?: Permission
  readonly error: string | undefined
}

export function RoleField({ role, onChange, permission, error }: RoleFieldProps) {
  const isFixed = permission?.isAllowed === false
  return (
    <Radio.Group
      label="Role in the workspace"
      description="Admins may do everything in every project, and manage users. Viewers and editors work in the projects that they are members of: what they may do is set there."
      value={role}
      onChange={(value) => onChange(toWorkspaceRole(value))}
      error={error}
    >
      <Stack gap="sm" mt={8}>
        {isFixed && (
          <Text size="xs" c="dimmed">
            {permission.reason}
          </Text>
        )}
        <Group>
          {WORKSPACE_ROLES.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} disabled={isFixed && value !== role} />
          ))}
        </Group>
      </Stack>
    </Radio.Group>
  )
}
