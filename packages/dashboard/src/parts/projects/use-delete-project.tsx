import type { Project } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { confirm } from '../../shared/forms/confirm.tsx'
import { type Permission, usePermissions } from '../../shared/scope/use-permissions.ts'
import { notifySuccess } from '../../shared/ui/notify.tsx'

interface ProjectDeletion {
  readonly permission: Permission
  /** Requires the project's slug, since everything in it goes with it. */
  readonly ask: () => void
}

/** The way to delete a project. `onDeleted` leaves its pages. */
export function useDeleteProject(project: Project, onDeleted?: () => Promise<void>): ProjectDeletion {
  const { environment_count, id, name, slug } = project
  const may = usePermissions(id)
  // Only a workspace admin sees every project and may delete one.
  const isLast = useQuery(endpointQuery('listProjects', {})).data?.length === 1
  const rolePermission = may('deleteProject')
  const ask = () =>
    confirm({
      title: 'Delete this project?',
      children: (
        <>
          <b>{name}</b> goes with{' '}
          {environment_count === 1 ? 'its environment' : `its ${environment_count} environments`}, all flags,
          segments, SDK keys, impressions and experiments. Its SDKs are disconnected at once. This cannot be
          undone.
        </>
      ),
      confirmLabel: 'Delete project',
      typed: slug,
      onConfirm: async () => {
        await call('deleteProject', { params: { project_id: id } }, { settle: () => onDeleted?.() })
        notifySuccess({ message: 'The project is deleted.' })
      },
    })
  return { permission: rolePermission.isAllowed && isLast ? LAST : rolePermission, ask }
}

const LAST: Permission = {
  isAllowed: false,
  reason: 'This is the last project of the workspace. Create another one first.',
}
