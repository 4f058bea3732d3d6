import type { User } from '@burgee/contract'
import { ActionIcon, Avatar, Badge, Menu, Text } from '@mantine/core'
import {
  IconDevices,
  IconDots,
  IconLink,
  IconLock,
  IconLockOpen,
  IconPencil,
  IconShieldOff,
  IconTrash,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/api/call.ts'
import { refresh } from '../../../shared/api/queries.ts'
import { confirm } from '../../../shared/ui/confirm.tsx'
import { GatedMenuItem } from '../../../shared/ui/gated-menu-item.tsx'
import { notifyFailure, notifySuccess } from '../../../shared/ui/notify.tsx'
import { Row } from '../../../shared/ui/row-list.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import { assessDeletion, assessDisabling } from './assess-user.ts'
import { confirmReset } from './confirm-reset.tsx'
import { WORKSPACE_ROLES } from './workspace-roles.ts'

interface UserRowProps {
  readonly user: User
  readonly users: readonly User[]
  readonly isMe: boolean
  readonly onEdit: () => void
  readonly onAct: (act: UserAct) => void
}

/** An item of the menu that opens a dialog. */
export type UserAct = 'access' | 'disable' | 'link'

export function UserRow({ user, users, isMe, onEdit, onAct }: UserRowProps) {
  const { created_at, email, name, role } = user
  const lockedUntil = currentLock(user)
  return (
    <Row
      icon={<Avatar size={30} radius="xl" name={name} color="gray" aria-hidden="true" />}
      title={name}
      badges={
        <>
          {isMe && (
            <Badge size="sm" variant="light" tt="none">
              You
            </Badge>
          )}
          {user.disabled_at !== null && (
            <Badge size="sm" variant="light" color="red" tt="none">
              Disabled
            </Badge>
          )}
          {lockedUntil !== null && <LockBadge until={lockedUntil} />}
        </>
      }
      subtitle={email}
      actions={<UserMenu user={user} users={users} isMe={isMe} onEdit={onEdit} onAct={onAct} />}
    >
      <Badge variant="light" color={role === 'admin' ? 'sea' : 'gray'} radius="sm" tt="none" w="fit-content">
        {WORKSPACE_ROLES.find(({ value }) => value === role)?.label}
      </Badge>
      <Text size="xs" c="dimmed">
        Created <Time at={created_at} size="xs" />
      </Text>
    </Row>
  )
}

/**
 * The time until which failed logins keep the user out; null if none do. The list may be older than the
 * lock's end.
 */
const currentLock = ({ locked_until }: User): string | null =>
  locked_until !== null && Date.parse(locked_until) > Date.now() ? locked_until : null

/** A lock ends within a quarter of an hour: the time of day says when. */
function LockBadge({ until }: { readonly until: string }) {
  const time = new Date(until).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return (
    <Badge
      size="sm"
      variant="light"
      color="yellow"
      tt="none"
      leftSection={<IconLock size={11} aria-hidden="true" />}
    >
      Locked until {time}
    </Badge>
  )
}

function UserMenu({ user, users, isMe, onEdit, onAct }: UserRowProps) {
  const client = useQueryClient()
  const confirmDelete = () =>
    confirm({
      title: 'Delete this user?',
      children: (
        <>
          <b>{user.name}</b> ({user.email}) is signed out at once; their tokens stop working and their
          memberships end. What they did stays in the audit log. This cannot be undone.
        </>
      ),
      confirmLabel: 'Delete user',
      onConfirm: async () => {
        await call('deleteUser', { params: { id: user.id } })
        await refresh(client, 'listUsers', 'listMembers', 'listMemberCandidates', 'listProjects')
        notifySuccess({ message: 'The user is deleted.' })
      },
    })
  const enable = async () => {
    try {
      await call('enableUser', { params: { id: user.id } })
      await refresh(client, 'listUsers')
      notifySuccess({ message: `${user.name} can sign in again.` })
    } catch (error) {
      notifyFailure('The user is still disabled', error)
    }
  }
  const unlock = async () => {
    try {
      await call('unlockUser', { params: { id: user.id } })
      await refresh(client, 'listUsers')
      notifySuccess({ message: `${user.name} can sign in again.` })
    } catch (error) {
      notifyFailure('The user is still locked', error)
    }
  }
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Actions for ${user.name}`}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={onEdit}>
          Edit or set password
        </Menu.Item>
        {currentLock(user) !== null && (
          <Menu.Item leftSection={<IconLockOpen size={15} />} onClick={() => void unlock()}>
            Unlock
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconShieldOff size={15} />} onClick={() => confirmReset(user)}>
          Reset two-step verification
        </Menu.Item>
        <Menu.Item leftSection={<IconDevices size={15} />} onClick={() => onAct('access')}>
          Sessions and tokens
        </Menu.Item>
        {user.disabled_at === null ? (
          <>
            <Menu.Item leftSection={<IconLink size={15} />} onClick={() => onAct('link')}>
              Link for a new password
            </Menu.Item>
            <Menu.Divider />
            <GatedMenuItem
              permission={assessDisabling(user, { users, isMe })}
              leftSection={<IconUserOff size={15} />}
              onClick={() => onAct('disable')}
            >
              Disable
            </GatedMenuItem>
          </>
        ) : (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconUserCheck size={15} />} onClick={() => void enable()}>
              Enable
            </Menu.Item>
          </>
        )}
        <GatedMenuItem
          permission={assessDeletion(user, { users, isMe })}
          color="red"
          leftSection={<IconTrash size={15} />}
          onClick={confirmDelete}
        >
          Delete
        </GatedMenuItem>
      </Menu.Dropdown>
    </Menu>
  )
}
