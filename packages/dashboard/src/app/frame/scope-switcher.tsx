import { Badge, Button, Group, Menu, Text } from '@mantine/core'
import { IconChevronDown, IconFolders } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../shared/api/queries.ts'
import { isProduction } from '../../shared/scope/is-production.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { MenuItemLink } from '../../shared/ui/links.tsx'
import classes from './scope-switcher.module.css'
import { useEnvironmentPage } from './use-environment-page.ts'
import { useWorkplace } from './use-workplace.ts'

/** With more environments the menu has a search. */
const SEARCH_FROM = 8

/** Project and environment, always in sight; switching keeps the page where both have it. */
export function ScopeSwitcher() {
  const { project_id } = useWorkplace()
  return (
    <Group gap={2} wrap="nowrap" miw={0}>
      <ProjectMenu />
      {project_id !== '' && <EnvironmentMenu />}
    </Group>
  )
}

function ProjectMenu() {
  const { project } = useWorkplace()
  const { data: projects = [] } = useQuery(endpointQuery('listProjects', {}))
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className={classes.target}
          rightSection={<IconChevronDown size={14} className={classes.chevron} />}
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
            <Text span truncate="end" size="sm" display="block">
              {name}
            </Text>
          </MenuItemLink>
        ))}
        <Menu.Divider />
        <MenuItemLink to="/projects" leftSection={<IconFolders size={14} />}>
          All projects
        </MenuItemLink>
      </Menu.Dropdown>
    </Menu>
  )
}

function EnvironmentMenu() {
  const { environment, environments, project_id, isOnEnvironment } = useWorkplace()
  const page = useEnvironmentPage()
  const isLoud = isOnEnvironment && isProduction(environment)
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const shown = environments.filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(wanted))
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <Button
          variant={isLoud ? 'light' : 'subtle'}
          color={isLoud ? 'red' : 'gray'}
          className={classes.target}
          leftSection={environment && <EnvironmentDot color={environment.color} />}
          rightSection={<IconChevronDown size={14} className={classes.chevron} />}
          aria-label={`Environment: ${environment?.name ?? 'choose one'}`}
        >
          <Text span truncate className={classes.environment}>
            {environment?.name ?? 'Environment'}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        {environments.length > SEARCH_FROM && (
          <Menu.Search
            placeholder="Find an environment"
            aria-label="Find an environment"
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        )}
        <Menu.Label>{shown.length === 0 ? `No results for ${query}` : 'Environments'}</Menu.Label>
        {shown.map(({ id, name, color, is_default }) => (
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
