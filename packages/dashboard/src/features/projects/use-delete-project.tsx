import type { Project } from '@burgee/contract'
import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'
import { refresh } from '../../shared/api/queries.ts'
import { confirm } from '../../shared/ui/confirm.tsx'
import { notifySuccess } from '../../shared/ui/notify.tsx'

/** Asks whether to delete a project, by its slug, since everything in it goes with it. */
export function useDeleteProject({ environment_count, id, name, slug }: Project) {
  const client = useQueryClient()
  return () =>
    confirm({
      title: `Delete the project ${name}?`,
      confirm_label: 'Delete project',
      typed: slug,
      children: (
        <Text size="sm">
          {environment_count === 1 ? 'Its environment' : `Its ${environment_count} environments`} with all
          flags, segments, keys and impressions are deleted, and SDKs that are connected lose their flags’
          source at once. This cannot be undone.
        </Text>
      ),
      onConfirm: async () => {
        await call('deleteProject', { params: { project_id: id } })
        await refresh(client, 'listProjects')
        notifySuccess({ message: 'The project is deleted.' })
      },
    })
}
