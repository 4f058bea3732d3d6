import { routes } from 'virtual:contract-endpoints'
import { type EndpointName, PERMISSION_WORDS } from '@burgee/contract'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { endpointQuery } from '../api/queries.ts'
import { usePermissions } from '../scope/use-permissions.ts'
import { AccessRequest } from './access-request.tsx'
import { EmptyState } from './empty-state.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'

interface AdminsOnlyProps {
  /** The endpoint that the content reads from. */
  readonly reads: EndpointName
  /** "Webhooks are for admins". */
  readonly title: string
  /** The content that would be here. */
  readonly about: string
  readonly children: ReactNode
}

/**
 * Content that some roles may not read: they see its description, the role that it needs, and who can give
 * that role.
 */
export function AdminsOnly({ reads, title, about, children }: AdminsOnlyProps) {
  const { project_id = '' } = useParams({ strict: false })
  const own = useQuery({
    ...endpointQuery('getOwnAccess', { params: { project_id } }),
    enabled: project_id !== '',
  })
  const { isAllowed, reason } = usePermissions()(reads)
  if (isAllowed) return children
  // The role in the project is not known before.
  if (project_id !== '' && own.isPending) return <SkeletonRows rows={3} height={56} />
  return (
    <EmptyState icon={<IconLock size={22} />} title={title}>
      {about} {reason}
      <AccessRequest
        wanted={project_id === '' ? 'the workspace role admin' : `${describeWanted(reads)} in the project`}
        isProjectRole={project_id !== ''}
      />
    </EmptyState>
  )
}

/** Returns the permission that an endpoint needs, which a role other than admin may have as well. */
function describeWanted(name: EndpointName): string {
  const words = Object.entries(PERMISSION_WORDS).find(([permission]) => permission === routes[name].access)
  return words ? `the permission “${words[1]}”` : 'the role admin'
}
