import { Avatar, Badge, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Row } from '../../../shared/ui/row-list.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import { currentLock } from './current-lock.ts'
import { LoginBadges } from './login-badges.tsx'
import { UserMenu, type UserMenuProps } from './user-menu.tsx'
import { WORKSPACE_ROLES } from './workspace-roles.ts'

export function UserRow({ user, users, isMe, onEdit, onAct }: UserMenuProps) {
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
          <LoginBadges user={user} />
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

/** A lock ends within a quarter of an hour: the time of day states when. */
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
