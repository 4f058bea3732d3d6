import { Stack } from '@mantine/core'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { DeleteProject } from './delete-project.tsx'
import { ImportFlags } from './import-flags.tsx'
import { RenameProject } from './rename-project.tsx'

export function GeneralTab() {
  const { project } = useScope()
  if (!project) return <SkeletonRows rows={2} height={110} />
  return (
    <Stack gap="xl">
      <RenameProject key={project.name} project={project} />
      <ImportFlags project={project} />
      <DeleteProject project={project} />
    </Stack>
  )
}
