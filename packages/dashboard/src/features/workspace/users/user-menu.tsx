import type { User } from '@burgee/contract'
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconDevices,
  IconDots,
  IconLink,
  IconLockOpen,
  IconPencil,
  IconShieldOff,
  IconTrash,
  IconUnlink,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react'
import { GatedMenuItem } from '../../../shared/ui/gated-menu-item.tsx'
import { assessDeletion, assessDisabling, assessReset } from './assess-user.ts'
import { currentLock } from './current-lock.ts'
import { isInvited } from './login-ways.ts'
import { useUserActs } from './use-user-acts.tsx'

export interface UserMenuProps {
  readonly user: User
  readonly users: readonly User[]
  readonly isMe: boolean
  readonly onEdit: () => void
  readonly onAct: (act: UserAct) => void
}

/** An item of the menu that opens a dialog. */
export type UserAct = 'access' | 'disable' | 'link'

const ICON = { size: 15 }

export function UserMenu({ user, users, isMe, onEdit, onAct }: UserMenuProps) {
  const acts = useUserActs(user)
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Actions for ${user.name}`}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil {...ICON} />} onClick={onEdit}>
          Edit or set password
        </Menu.Item>
        {currentLock(user) !== null && (
          <Menu.Item leftSection={<IconLockOpen {...ICON} />} onClick={acts.unlock}>
            Unlock
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconDevices {...ICON} />} onClick={() => onAct('access')}>
          Sessions and tokens
        </Menu.Item>
        <GatedMenuItem
          permission={assessReset(user)}
          leftSection={<IconShieldOff {...ICON} />}
          onClick={acts.resetFactors}
        >
          Reset two-step verification
        </GatedMenuItem>
        {user.is_linked && (
          <Menu.Item leftSection={<IconUnlink {...ICON} />} onClick={acts.unlink}>
            Unlink single sign-on
          </Menu.Item>
        )}
        {user.disabled_at === null && (
          <Menu.Item leftSection={<IconLink {...ICON} />} onClick={() => onAct('link')}>
            {isInvited(user) ? 'New invitation link' : 'Link for a new password'}
          </Menu.Item>
        )}
        <Menu.Divider />
        {user.disabled_at === null ? (
          <GatedMenuItem
            permission={assessDisabling(user, { users, isMe })}
            leftSection={<IconUserOff {...ICON} />}
            onClick={() => onAct('disable')}
          >
            Disable
          </GatedMenuItem>
        ) : (
          <Menu.Item leftSection={<IconUserCheck {...ICON} />} onClick={acts.enable}>
            Enable
          </Menu.Item>
        )}
        <GatedMenuItem
          permission={assessDeletion(user, { users, isMe })}
          color="red"
          leftSection={<IconTrash {...ICON} />}
          onClick={acts.remove}
        >
          Delete
        </GatedMenuItem>
      </Menu.Dropdown>
    </Menu>
  )
}
