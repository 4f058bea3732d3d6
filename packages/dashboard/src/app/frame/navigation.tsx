import { Badge, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { NavLinkTo } from '../../shared/ui/links.tsx'
import classes from './navigation.module.css'
import { ENVIRONMENT_PAGES, PROJECT_PAGES } from './pages.tsx'
import { useWorkplace } from './use-workplace.ts'

const REQUESTS_EVERY_MS = 30_000
/** More requests are shown as "99+". */
const COUNTED_MAX = 99

/** The pages of the environment and the project that are open, or were last. */
export function Navigation() {
  const { project_id, environment_id, environment } = useWorkplace()
  return (
    <nav aria-label="Pages">
      {environment_id !== '' && (
        <>
          <Text className={classes.group} component="div">
            {environment && <EnvironmentDot color={environment.color} size={8} />}
            <span>{environment?.name ?? 'Environment'}</span>
          </Text>
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
      {project_id === '' ? (
        <NavLinkTo to="/projects" label="Projects" className={classes.link} />
      ) : (
        <>
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
        </>
      )}
    </nav>
  )
}

/** The number of pending change requests. */
function PendingCount({ env_id }: { readonly env_id: string }) {
  const { data } = useQuery({
    ...endpointQuery('listChangeRequests', {
      params: { env_id },
      query: { status: 'pending', limit: COUNTED_MAX + 1 },
    }),
    refetchInterval: REQUESTS_EVERY_MS,
  })
  if (!data || data.length === 0) return null
  const count = data.length > COUNTED_MAX ? `${COUNTED_MAX}+` : String(data.length)
  return (
    <Badge size="sm" variant="light" color="yellow" aria-label={`${count} waiting`}>
      {count}
    </Badge>
  )
}
