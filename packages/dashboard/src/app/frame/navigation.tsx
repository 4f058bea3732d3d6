import { Badge, Text } from '@mantine/core'
import {
  IconAdjustmentsHorizontal,
  IconArrowsDiff,
  IconBellRinging,
  IconCalendarTime,
  IconChartBar,
  IconChecklist,
  IconEye,
  IconFlag3,
  IconFlask,
  IconHistory,
  IconPlugConnected,
  IconUserSearch,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { NavLinkTo } from '../../shared/ui/links.tsx'
import classes from './navigation.module.css'

const ICON = { size: 17, stroke: 1.6 }
const REQUESTS_EVERY_MS = 30_000

/** The pages of the environment and the project that are open. */
export const ENVIRONMENT_PAGES = [
  { to: 'flags', label: 'Flags', icon: <IconFlag3 {...ICON} /> },
  { to: 'segments', label: 'Segments', icon: <IconUsersGroup {...ICON} /> },
  { to: 'evaluate', label: 'Evaluate', icon: <IconUserSearch {...ICON} /> },
  { to: 'change-requests', label: 'Change requests', icon: <IconChecklist {...ICON} /> },
  { to: 'scheduled-changes', label: 'Scheduled changes', icon: <IconCalendarTime {...ICON} /> },
  { to: 'experiments', label: 'Experiments', icon: <IconFlask {...ICON} /> },
  { to: 'impressions', label: 'Impressions', icon: <IconChartBar {...ICON} /> },
  { to: 'exposure', label: 'Exposure', icon: <IconEye {...ICON} /> },
  { to: 'audit', label: 'Audit log', icon: <IconHistory {...ICON} /> },
  { to: 'webhooks', label: 'Webhooks', icon: <IconWebhook {...ICON} /> },
  { to: 'integrations', label: 'Chat alerts', icon: <IconBellRinging {...ICON} /> },
  { to: 'connect', label: 'Connect your app', icon: <IconPlugConnected {...ICON} /> },
] as const

export const PROJECT_PAGES = [
  { to: 'compare', label: 'Compare', icon: <IconArrowsDiff {...ICON} /> },
  { to: 'settings', label: 'Project settings', icon: <IconAdjustmentsHorizontal {...ICON} /> },
] as const

export function Navigation() {
  const { project_id, environment_id, environment } = useScope()
  if (project_id === '') return <NavLinkTo to="/projects" label="Projects" className={classes.link} />
  return (
    <nav aria-label="Pages">
      {environment_id !== '' && (
        <>
          <Text className={classes.group}>{environment?.name ?? 'Environment'}</Text>
          {ENVIRONMENT_PAGES.map(({ to, label, icon }) => (
            <NavLinkTo
              key={to}
              to={`/projects/$project_id/environments/$environment_id/${to}`}
              params={{ project_id, environment_id }}
              label={label}
              leftSection={icon}
              rightSection={to === 'change-requests' ? <PendingCount env_id={environment_id} /> : null}
              className={classes.link}
            />
          ))}
        </>
      )}
      <Text className={classes.group}>Project</Text>
      {PROJECT_PAGES.map(({ to, label, icon }) => (
        <NavLinkTo
          key={to}
          to={`/projects/$project_id/${to}`}
          params={{ project_id }}
          label={label}
          leftSection={icon}
          className={classes.link}
        />
      ))}
    </nav>
  )
}

/** How many change requests wait for somebody. */
function PendingCount({ env_id }: { readonly env_id: string }) {
  const { data } = useQuery({
    ...endpointQuery('listChangeRequests', { params: { env_id }, query: { status: 'pending' } }),
    refetchInterval: REQUESTS_EVERY_MS,
  })
  if (!data || data.length === 0) return null
  return (
    <Badge size="sm" variant="light" color="yellow" aria-label={`${data.length} waiting`}>
      {data.length}
    </Badge>
  )
}
