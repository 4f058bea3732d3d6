import { ActionIcon, Avatar, Menu, Text, useMantineColorScheme } from '@mantine/core'
import {
  IconChecklist,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconShieldQuestion,
  IconSun,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../../shared/scope/use-me.ts'
import { MenuItemLink } from '../../shared/ui/links.tsx'
import { useLogOut } from './use-log-out.ts'

const OwnAccessDialog = lazy(async () => ({
  default: (await import('../../parts/roles/own-access-dialog.tsx')).OwnAccessDialog,
}))

const SCHEMES = [
  { value: 'light', label: 'Light', icon: <IconSun size={15} /> },
  { value: 'dark', label: 'Dark', icon: <IconMoon size={15} /> },
  { value: 'auto', label: 'System default', icon: <IconDeviceDesktop size={15} /> },
] as const

/** The signed-in person: their account, the look of the page, the way out. */
export function UserMenu({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const me = useMe()
  const logOut = useLogOut()
  const { project_id = '' } = useParams({ strict: false })
  const [isAsking, setAsking] = useState(false)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon variant="transparent" size={32} radius="xl" aria-label="Your account">
            <Avatar
              size={30}
              radius="xl"
              name={me?.name ?? ''}
              color="initials"
              allowedInitialsColors={['sea']}
            />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
              {me?.name}
            </Text>
            <Text size="xs" truncate>
              {me?.email}
            </Text>
          </Menu.Label>
          <MenuItemLink to="/account" leftSection={<IconUser size={15} />}>
            My account
          </MenuItemLink>
          <MenuItemLink to="/change-requests" leftSection={<IconChecklist size={15} />}>
            Change requests
          </MenuItemLink>
          {me?.role === 'admin' && (
            <MenuItemLink to="/workspace" leftSection={<IconUsers size={15} />}>
              Workspace and users
            </MenuItemLink>
          )}
          {project_id !== '' && (
            <Menu.Item leftSection={<IconShieldQuestion size={15} />} onClick={() => setAsking(true)}>
              What may I do here?
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconKeyboard size={15} />} onClick={onShortcuts}>
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Appearance</Menu.Label>
          {SCHEMES.map(({ value, label, icon }) => (
            <Menu.Item
              key={value}
              role="menuitemradio"
              aria-checked={colorScheme === value}
              leftSection={icon}
              fw={colorScheme === value ? 600 : undefined}
              onClick={() => setColorScheme(value)}
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void logOut()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>{isAsking && <OwnAccessDialog onClose={() => setAsking(false)} />}</Suspense>
    </>
  )
}
