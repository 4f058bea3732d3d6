import type { Project } from '@burgee/contract'
import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../../shared/api/call.ts'
import { endpointQuery, refresh } from '../../../shared/api/queries.ts'
import { type Permission, useMay } from '../../../shared/scope/use-may.ts'
import { confirm } from '../../../shared/ui/confirm.tsx'
import { Gated } from '../../../shared/ui/gated.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { Section } from '../../../shared/ui/section.tsx'

export function DeleteProject({ project }: { readonly project: Project }) {
  const role_permission = useMay()('deleteProject')
  const projects = useQuery(endpointQuery('listProjects', {}))
  const client = useQueryClient()
  const navigate = useNavigate()
  // Only a workspace admin sees every project, and nobody else may delete one.
  const is_last = projects.data?.length === 1
  const permission: Permission =
    role_permission.is_allowed && is_last
      ? { is_allowed: false, reason: 'This is the last project of the workspace. Create another one first.' }
      : role_permission
  const askToDelete = () =>
    confirm({
      title: 'Delete this project?',
      children: (
        <>
          <b>{project.name}</b> goes with its {project.environment_count} environments, their flags, SDK keys,
          impressions and experiments. Its SDKs are disconnected at once. This cannot be undone.
        </>
      ),
      confirm_label: 'Delete project',
      typed: project.slug,
      onConfirm: async () => {
        await call('deleteProject', { params: { project_id: project.id } })
        await navigate({ to: '/projects' })
        await refresh(client, 'listProjects')
        notifySuccess({ message: 'The project is deleted.' })
      },
    })
  return (
    <Section title="Delete project" is_dangerous>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 260px">
          Its environments, flags, keys and impressions go with it, and its SDKs are disconnected at once.
        </Text>
        <Gated permission={permission}>
          <Button color="red" variant="light" onClick={askToDelete}>
            Delete project
          </Button>
        </Gated>
      </Group>
    </Section>
  )
}
