import { AppShell, Box, Burger, Group, Kbd, ScrollArea, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useLocation, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isProduction } from '../../shared/scope/is-production.ts'
import { BurgeeMark } from '../../shared/ui/burgee-mark.tsx'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Commands, type CommandView } from '../commands/commands.tsx'
import { rememberPlace } from '../last-location.ts'
import { LiveUpdates } from '../live/live-updates.tsx'
import type { StreamStatus } from '../live/open-stream.ts'
import { rememberFlag } from '../recent-flags.ts'
import { FocusPageHeading } from './focus-page-heading.tsx'
import classes from './frame.module.css'
import { HelpMenu } from './help-menu.tsx'
import { Navigation } from './navigation.tsx'
import { OverrideDialog } from './override-dialog.tsx'
import { ScopeSwitcher } from './scope-switcher.tsx'
import { ScopedOutlet } from './scoped-outlet.tsx'
import { SecondFactorNotice } from './second-factor-notice.tsx'
import { UnconfirmedEmailNotice } from './unconfirmed-email-notice.tsx'
import { useWorkplace } from './use-workplace.ts'
import { UserMenu } from './user-menu.tsx'
import { WaitingLink } from './waiting-link.tsx'

const HEADER_PX = 52
const SIDEBAR_PX = 240

/**
 * The frame around every page: the current place, the ways to others, and the environment's color along its
 * edges.
 */
export function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const [view, setView] = useState<CommandView>(null)
  const [stream, setStream] = useState<StreamStatus>('connecting')
  const { project_id, environment_id, environment, isOnEnvironment } = useWorkplace()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the address changes
  useEffect(close, [pathname])
  const { flag_key } = useParams({ strict: false })
  useEffect(() => {
    if (!isOnEnvironment || !environment) return
    rememberPlace({ project_id, environment_id })
    if (flag_key !== undefined) rememberFlag({ project_id, environment_id, flag_key })
  }, [isOnEnvironment, environment, project_id, environment_id, flag_key])
  return (
    <AppShell
      header={{ height: HEADER_PX }}
      navbar={{ width: SIDEBAR_PX, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
      data-production={(isOnEnvironment && isProduction(environment)) || undefined}
      className={classes.shell}
      style={{ '--environment-color': isOnEnvironment ? environment?.color : undefined }}
    >
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <AppShell.Header className={classes.header}>
        <Box className={classes.band} />
        <Group h="100%" px="sm" gap="sm" wrap="nowrap" className={classes.bar}>
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Navigation"
            aria-expanded={isOpen}
          />
          <AnchorLink to="/" className={classes.mark} aria-label="Burgee: to the flags">
            <BurgeeMark />
          </AnchorLink>
          <ScopeSwitcher />
          <UnstyledButton
            className={classes.search}
            onClick={() => setView('palette')}
            aria-label="Search or run a command"
          >
            <IconSearch size={15} />
            <span>Search or run a command</span>
            <Kbd size="xs">Ctrl K</Kbd>
          </UnstyledButton>
          <WaitingLink />
          <UserMenu onShortcuts={() => setView('shortcuts')} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} data-open={isOpen || undefined}>
        <AppShell.Section grow component={ScrollArea} type="auto" px="xs" pb="xs">
          <Navigation />
        </AppShell.Section>
        <AppShell.Section className={classes.foot}>
          <Group justify="space-between" wrap="nowrap">
            <LiveUpdates environment_id={environment_id} status={stream} onStatus={setStream} />
            <HelpMenu
              onShortcuts={() => setView('shortcuts')}
              stream={environment_id === '' ? null : stream}
            />
          </Group>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <SecondFactorNotice />
        <UnconfirmedEmailNotice />
        <ScopedOutlet />
      </AppShell.Main>
      <FocusPageHeading />
      <Commands view={view} onView={setView} />
      <OverrideDialog project_id={project_id} />
    </AppShell>
  )
}
