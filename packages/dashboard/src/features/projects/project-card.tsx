import type { Project } from '@burgee/contract'
import { ActionIcon, Card, Code, Group, Menu, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconPencil, IconSettings, IconTrash } from '@tabler/icons-react'
import { useDeleteProject } from '../../parts/projects/use-delete-project.tsx'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { GatedMenuItem } from '../../shared/ui/gated-menu-item.tsx'
import { AnchorLink, MenuItemLink } from '../../shared/ui/links.tsx'
import { Time } from '../../shared/ui/time.tsx'
import classes from './projects.module.css'
import { RenameProjectDialog } from './rename-project-dialog.tsx'

interface ProjectCardProps {
  readonly project: Project
}

export function ProjectCard({ project }: ProjectCardProps) {
  const { environment_count, member_count } = project
  return (
    <Card withBorder component="article" className={classes.card}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h5" className={classes.name}>
          <AnchorLink
            to="/projects/$project_id"
            params={{ project_id: project.id }}
            className={classes.link}
            title={project.name}
          >
            {project.name}
          </AnchorLink>
        </Title>
        <ProjectMenu project={project} />
      </Group>
      <Code className={classes.slug}>{project.slug}</Code>
      <Group gap="md" mt="md">
        <Text size="sm">{countOf(environment_count, 'environment')}</Text>
        <Text size="sm">{countOf(member_count, 'member')}</Text>
        <Time at={project.created_at} ml="auto" />
      </Group>
    </Card>
  )
}

function ProjectMenu({ project }: ProjectCardProps) {
  const rename = usePermissions(project.id)('updateProject')
  const deletion = useDeleteProject(project)
  const [isRenaming, { open, close }] = useDisclosure(false)
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Actions for ${project.name}`}
            className={classes.menu}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItemLink
            to="/projects/$project_id/settings"
            params={{ project_id: project.id }}
            leftSection={<IconSettings size={15} />}
          >
            Settings
          </MenuItemLink>
          <GatedMenuItem leftSection={<IconPencil size={15} />} permission={rename} onClick={open}>
            Rename
          </GatedMenuItem>
          <GatedMenuItem
            color="red"
            leftSection={<IconTrash size={15} />}
            permission={deletion.permission}
            onClick={deletion.ask}
          >
            Delete
          </GatedMenuItem>
        </Menu.Dropdown>
      </Menu>
      <RenameProjectDialog project={project} isOpen={isRenaming} onClose={close} />
    </>
  )
}
