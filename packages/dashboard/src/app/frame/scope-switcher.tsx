import { Button, Group, Menu, Text } from '@mantine/core'
import { IconChevronDown, IconFolders } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { MenuItemLink } from '../../shared/ui/links.tsx'
import { EnvironmentMenu } from './environments/environment-menu.tsx'
import classes from './scope-switcher.module.css'
import { useWorkplace } from './use-workplace.ts'

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
