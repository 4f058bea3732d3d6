import { Badge, Button, Group, Menu, Text } from '@mantine/core'
import { IconChevronDown, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { endpointQuery } from '../../shared/api/queries.ts'
import { isProduction } from '../../shared/scope/is-production.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { MenuItemLink } from '../../shared/ui/links.tsx'
import classes from './scope-switcher.module.css'

/** Project and environment, always in sight; switching keeps the page where both have it. */
export function ScopeSwitcher() {
  const { project_id } = useScope()
  return (
    <Group gap={2} wrap="nowrap" miw={0}>
      <ProjectMenu />
      {project_id !== '' && <EnvironmentMenu />}
    </Group>
  )
}

function ProjectMenu() {
  const { project } = useScope()
  const { data: projects = [] } = useQuery(endpointQuery('listProjects', {}))
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className={classes.target}
          rightSection={<IconChevronDown size={14} />}
          aria-label={`Project: ${project?.name ?? 'choose one'}`}
        >
          <Text span truncate className={classes.project}>
            {project?.name ?? 'Projects'}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        <Menu.Label>Projects</Menu.Label>
        {projects.map(({ id, name }) => (
          <MenuItemLink key={id} to="/projects/$project_id" params={{ project_id: id }}>
            {name}
          </MenuItemLink>
        ))}
        <Menu.Divider />
        <MenuItemLink to="/projects" leftSection={<IconPlus size={14} />}>
          All projects
        </MenuItemLink>
      </Menu.Dropdown>
    </Menu>
  )
}

function EnvironmentMenu() {
  const { environment, environments, project_id } = useScope()
  const page = useEnvironmentPage()
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <Button
          variant={isProduction(environment) ? 'light' : 'subtle'}
          color={isProduction(environment) ? 'red' : 'gray'}
          className={classes.target}
          leftSection={environment && <EnvironmentDot color={environment.color} />}
          rightSection={<IconChevronDown size={14} />}
          aria-label={`Environment: ${environment?.name ?? 'choose one'}`}
        >
          <Text span truncate className={classes.environment}>
            {environment?.name ?? 'Environment'}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        <Menu.Label>Environments</Menu.Label>
        {environments.map(({ id, name, color, is_default }) => (
          <MenuItemLink
            key={id}
            to={`/projects/$project_id/environments/$environment_id/${page}`}
            params={{ project_id, environment_id: id }}
            leftSection={<EnvironmentDot color={color} />}
            rightSection={
              is_default && (
                <Badge size="xs" variant="default">
                  default
                </Badge>
              )
            }
          >
            {name}
          </MenuItemLink>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The list that is open: what is inside a list (one flag) may be missing in another environment. */
function useEnvironmentPage() {
  const { pathname } = useLocation()
  const page = /\/environments\/[^/]+\/([^/]+(?:\/[^/]+)?)/.exec(pathname)?.[1]
  return (page ?? 'flags') as 'flags'
}
