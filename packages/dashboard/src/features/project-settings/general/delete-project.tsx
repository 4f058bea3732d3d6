import type { Project } from '@burgee/contract'
import { Button, Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useDeleteProject } from '../../../parts/projects/use-delete-project.tsx'
import { Gated } from '../../../shared/ui/gated.tsx'
import { Section } from '../../../shared/ui/section.tsx'

export function DeleteProject({ project }: { readonly project: Project }) {
  const navigate = useNavigate()
  const { permission, ask } = useDeleteProject(project, () => navigate({ to: '/projects' }))
  return (
    <Section title="Delete project" isDangerous>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 260px">
          Its environments, flags, keys and impressions are deleted with it, and its SDKs are disconnected at
          once.
        </Text>
        <Gated permission={permission}>
          <Button color="red" variant="light" onClick={ask}>
            Delete project
          </Button>
        </Gated>
      </Group>
    </Section>
  )
}
