import { AppShell, Box, Burger, Group, Kbd, ScrollArea, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isProduction } from '../../shared/scope/is-production.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { CommandPalette, openCommandPalette } from '../commands/command-palette.tsx'
import { Shortcuts } from '../commands/shortcuts.tsx'
import { rememberPlace } from '../find-home.ts'
import { LiveUpdates } from '../live/live-updates.tsx'
import { BurgeeMark } from './burgee-mark.tsx'
import classes from './frame.module.css'
import { Navigation } from './navigation.tsx'
import { ScopeSwitcher } from './scope-switcher.tsx'
import { UserMenu } from './user-menu.tsx'

const HEADER_PX = 52
const SIDEBAR_PX = 224

/** What is around every page: where one is, where one can go, and the environment's colour along the top. */
export function Frame() {
  const [is_open, { toggle, close }] = useDisclosure(false)
  const { project_id, environment_id, environment } = useScope()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the address changes
  useEffect(close, [pathname])
  useEffect(() => {
    if (project_id && environment_id) rememberPlace({ project_id, environment_id })
  }, [project_id, environment_id])
  return (
    <AppShell
      header={{ height: HEADER_PX }}
      navbar={{ width: SIDEBAR_PX, breakpoint: 'sm', collapsed: { mobile: !is_open } }}
      padding={{ base: 'sm', sm: 'lg' }}
      className={classes.shell}
    >
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <AppShell.Header className={classes.header}>
        <Box
          className={classes.band}
          data-production={isProduction(environment) || undefined}
          style={{ '--environment-color': environment?.color }}
        />
        <Group h="100%" px="sm" gap="sm" wrap="nowrap">
          <Burger opened={is_open} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
          <AnchorLink to="/" className={classes.mark} aria-label="Burgee: to the flags">
            <BurgeeMark />
          </AnchorLink>
          <ScopeSwitcher />
          <UnstyledButton
            className={classes.search}
            onClick={openCommandPalette}
            aria-label="Search or run a command"
          >
            <IconSearch size={15} />
            <span>Search or run a command</span>
            <Kbd size="xs">Ctrl K</Kbd>
          </UnstyledButton>
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar}>
        <ScrollArea type="auto" p="xs">
          <Navigation />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <Outlet />
      </AppShell.Main>
      <LiveUpdates />
      <CommandPalette />
      <Shortcuts />
    </AppShell>
  )
}
