import { Button, SimpleGrid } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFolders, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { Gated } from '../../shared/ui/gated.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { CreateProjectDialog } from './create-project-dialog.tsx'
import { ProjectCard } from './project-card.tsx'

/** Every project that the signed-in person may see. */
export function ProjectsPage() {
  const projects = useQuery(endpointQuery('listProjects', {}))
  const permission = usePermissions()('createProject')
  const [isCreating, { open, close }] = useDisclosure(false)
  const create = (
    <Gated permission={permission}>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Create project
      </Button>
    </Gated>
  )
  return (
    <Page
      title="Projects"
      description="Each has its own environments, flags, keys and members"
      actions={create}
    >
      {projects.isError && (
        <Failure
          title="The projects could not be loaded"
          error={projects.error}
          onRetry={() => void projects.refetch()}
        />
      )}
      {projects.isPending && <SkeletonRows rows={2} height={150} />}
      {projects.data?.length === 0 && (
        <EmptyState icon={<IconFolders size={22} />} title="You are in no project yet">
          Ask a workspace admin to add you to one. What you may do there depends on the role that you get.
        </EmptyState>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {projects.data?.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </SimpleGrid>
      <CreateProjectDialog isOpen={isCreating} onClose={close} />
    </Page>
  )
}
