import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../api/queries.ts'
import type { Permission } from '../scope/assess-access.ts'
import { useMe } from '../scope/use-me.ts'
import { formatNames } from './format-names.ts'

/**
 * The reason of a disabled control, and who can give the missing right. It is drawn when a tooltip or menu
 * opens, so that the members are read only then.
 */
export function ReasonWithGivers({
  permission: { giverProject, reason },
}: {
  readonly permission: Permission
}) {
  if (giverProject === undefined) return reason
  return (
    <>
      {reason} {giverProject === '' ? BY_WORKSPACE_ADMIN : <ProjectGivers project_id={giverProject} />}
    </>
  )
}

const BY_WORKSPACE_ADMIN = 'A workspace admin can give you that role.'
const BY_ANY_ADMIN = 'A workspace admin can give it to you.'

function ProjectGivers({ project_id }: { readonly project_id: string }) {
  const me = useMe()
  const members = useQuery({
    ...endpointQuery('listMembers', { params: { project_id } }),
    enabled: project_id !== '',
  })
  const admins = members.data?.filter(
    ({ email, role }) => role === 'admin' && email.toLowerCase() !== me?.email.toLowerCase(),
  )
  if (!admins || admins.length === 0) return BY_ANY_ADMIN
  return `${formatNames(admins.map(({ name }) => name))} can give it to you.`
}
