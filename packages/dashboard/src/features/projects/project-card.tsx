import type { Project } from '@burgee/contract'
import { ActionIcon, Card, Code, Group, Menu, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconPencil, IconSettings, IconTrash } from '@tabler/icons-react'
import { type Permission, useMay } from '../../shared/scope/use-may.ts'
import { AnchorLink, MenuItemLink } from '../../shared/ui/links.tsx'
import { Time } from '../../shared/ui/time.tsx'
import classes from './projects.module.css'
import { RenameProjectDialog } from './rename-project-dialog.tsx'
import { useDeleteProject } from './use-delete-project.tsx'

interface ProjectCardProps {
  readonly project: Project
  /** The last one cannot be deleted. */
  readonly is_last: boolean
}

export function ProjectCard({ project, is_last }: ProjectCardProps) {
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
        <ProjectMenu project={project} is_last={is_last} />
      </Group>
      <Code className={classes.slug}>{project.slug}</Code>
      <Group gap="md" mt="md">
        <Text size="sm">{counted(environment_count, 'environment')}</Text>
        <Text size="sm">{counted(member_count, 'member')}</Text>
        <Time at={project.created_at} ml="auto" />
      </Group>
    </Card>
  )
}

const counted = (count: number, noun: string) => `${count} ${count === 1 ? noun : `${noun}s`}`

function ProjectMenu({ project, is_last }: ProjectCardProps) {
  const may = useMay(project.id)
  const rename = may('updateProject')
  const deletion: Permission = is_last
    ? { is_allowed: false, reason: 'The last project cannot be deleted.' }
    : may('deleteProject')
  const [is_renaming, { open, close }] = useDisclosure(false)
  const remove = useDeleteProject(project)
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
          <Menu.Item leftSection={<IconPencil size={15} />} onClick={open} disabled={!rename.is_allowed}>
            Rename
            <Reason permission={rename} />
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={15} />}
            onClick={remove}
            disabled={!deletion.is_allowed}
          >
            Delete
            <Reason permission={deletion} />
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RenameProjectDialog project={project} is_open={is_renaming} onClose={close} />
    </>
  )
}

/** A menu has room to say why, without pointing at it. */
function Reason({ permission }: { readonly permission: Permission }) {
  if (permission.is_allowed) return null
  return (
    <Text size="xs" c="dimmed">
      {permission.reason}
    </Text>
  )
}
