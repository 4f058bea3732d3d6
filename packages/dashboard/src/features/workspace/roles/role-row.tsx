import { type CustomRole, PERMISSIONS } from '@burgee/contract'
import { ActionIcon, Badge, Box, Button, Menu, Text } from '@mantine/core'
import { IconCopy, IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { PermissionList } from '../../../parts/roles/permission-list.tsx'
import { GatedMenuItem } from '../../../shared/ui/gated-menu-item.tsx'
import { Row } from '../../../shared/ui/row-list.tsx'
import { assessRoleDeletion } from './assess-role-deletion.ts'
import { describeUses } from './describe-uses.ts'
import { useDeleteRole } from './use-delete-role.tsx'

interface RoleRowProps {
  readonly role: CustomRole
  readonly onEdit: () => void
  readonly onCopy: () => void
}

export function RoleRow({ role, onEdit, onCopy }: RoleRowProps) {
  const [isOpen, setOpen] = useState(false)
  const { description, is_built_in, key, name, permissions } = role
  const id = `permissions-of-${key}`
  return (
    <Row
      title={name}
      badges={
        is_built_in && (
          <Badge size="sm" variant="light" color="gray" tt="none">
            Built in
          </Badge>
        )
      }
      subtitle={description || (is_built_in ? BUILT_IN_WORDS[key] : key)}
      actions={<RoleMenu role={role} onEdit={onEdit} onCopy={onCopy} />}
      below={
        isOpen && (
          <Box id={id} px={14} pt={4} pb="sm">
            <PermissionList permissions={permissions} label={`Permissions of ${name}`} />
          </Box>
        )
      }
    >
      <div>
        <Button
          size="compact-xs"
          variant="subtle"
          ml={-8}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`Permissions of ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          {permissions.length} of {PERMISSIONS.length} permissions
        </Button>
        <Text size="xs" c="dimmed">
          {describeUses(role)}
        </Text>
      </div>
    </Row>
  )
}

const BUILT_IN_WORDS: Readonly<Record<string, string>> = {
  viewer: 'Sees everything but webhooks, Slack & Teams alerts and the audit log. Changes nothing.',
  editor: 'Also changes flags, segments, experiments and schedules, and reviews change requests.',
  admin: 'May do everything in the project but delete it.',
}

function RoleMenu({ role, onEdit, onCopy }: RoleRowProps) {
  const confirmDelete = useDeleteRole(role)
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Actions for ${role.name}`}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!role.is_built_in && (
          <Menu.Item leftSection={<IconPencil size={15} />} onClick={onEdit}>
            Edit
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCopy size={15} />} onClick={onCopy}>
          Create a role like this
        </Menu.Item>
        {!role.is_built_in && (
          <>
            <Menu.Divider />
            <GatedMenuItem
              permission={assessRoleDeletion(role)}
              color="red"
              leftSection={<IconTrash size={15} />}
              onClick={confirmDelete}
            >
              Delete
            </GatedMenuItem>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
