import { Menu, type MenuItemProps, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Permission } from '../scope/use-permissions.ts'
import { ReasonWithGivers } from './reason-with-givers.tsx'

interface GatedMenuItemProps extends MenuItemProps {
  readonly permission: Permission
  readonly onClick: () => void
  readonly children: ReactNode
}

/**
 * An entry of a menu that may not be used shows the reason below its name. It keeps the focus that arrows
 * give it, so that the reason is read out too, and does nothing.
 */
export function GatedMenuItem({ permission, onClick, children, ...item }: GatedMenuItemProps) {
  if (permission.isAllowed) {
    return (
      <Menu.Item {...item} onClick={onClick}>
        {children}
      </Menu.Item>
    )
  }
  return (
    <Menu.Item {...item} color="var(--mantine-color-dimmed)" aria-disabled closeMenuOnClick={false}>
      {children}
      <Text size="xs" c="dimmed">
        <ReasonWithGivers permission={permission} />
      </Text>
    </Menu.Item>
  )
}
