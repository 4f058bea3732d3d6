import type { OwnAccess } from '@burgee/contract'
import { Modal, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { AccessRequest } from '../../shared/ui/access-request.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { PermissionList } from './permission-list.tsx'
import { roleName, useRoles } from './use-roles.ts'

/** Shows the person's own roles in the open project, and what they permit. */
export function OwnAccessDialog({ onClose }: { readonly onClose: () => void }) {
  const { project, project_id } = useScope()
  const { data, error, refetch } = useQuery(endpointQuery('getOwnAccess', { params: { project_id } }))
  return (
    <Modal opened onClose={onClose} size="xl" title={`What may I do in ${project?.name ?? 'this project'}?`}>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && error === null && <Skeleton height={160} />}
      {data && <OwnRoles own={data} project_name={project?.name ?? 'this project'} />}
    </Modal>
  )
}

function OwnRoles({ own, project_name }: { readonly own: OwnAccess; readonly project_name: string }) {
  const roles = useRoles()
  const { environments } = useScope()
  if (own.is_workspace_admin) {
    return <Text size="sm">You are a workspace admin. You may do everything in every project.</Text>
  }
  return (
    <Stack gap="lg">
      {own.role === null ? (
        <Text size="sm">You are no member of this project.</Text>
      ) : (
        <Place
          title={`Your role in the project: ${roleName(roles, own.role)}`}
          permissions={own.permissions}
        />
      )}
      {own.environments.map(({ environment_id, permissions, role }) => (
        <Place
          key={environment_id}
          title={`In ${environments.find(({ id }) => id === environment_id)?.name ?? environment_id}: ${roleName(roles, role)}`}
          permissions={permissions}
        />
      ))}
      <div>
        <AccessRequest wanted={`a role with more permissions in the project ${project_name}`} isProjectRole />
      </div>
    </Stack>
  )
}

interface PlaceProps {
  readonly title: string
  readonly permissions: OwnAccess['permissions']
}

const Place = ({ title, permissions }: PlaceProps) => (
  <Stack gap="xs" component="section" aria-label={title}>
    <Title order={3} size="h6">
      {title}
    </Title>
    <PermissionList permissions={permissions} label={title} />
  </Stack>
)
