import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { endpointQuery } from '../../shared/api/queries.ts'
import { NotFoundPage } from '../not-found-page.tsx'

/** The page, unless the address names a project or an environment that this person does not have. */
export function ScopedOutlet() {
  const { project_id, environment_id } = useParams({ strict: false })
  const projects = useQuery(endpointQuery('listProjects', {}))
  const isNoProject = useMissing(projects, project_id)
  const environments = useQuery({
    ...endpointQuery('listEnvironments', { params: { project_id: project_id ?? '' } }),
    enabled: project_id !== undefined && !isNoProject,
  })
  const isNoEnvironment = useMissing(environments, environment_id)
  if (isNoProject) return <NotFoundPage what="project" />
  if (isNoEnvironment) return <NotFoundPage what="environment" />
  return <Outlet />
}

interface Known {
  readonly data: readonly { readonly id: string }[] | undefined
  readonly isFetching: boolean
  refetch(): Promise<unknown>
}

/** Requests the list again before an id counts as missing: the id may be newer than the list. */
function useMissing({ data, isFetching, refetch }: Known, wanted: string | undefined): boolean {
  const isUnknown = wanted !== undefined && data !== undefined && !data.some(({ id }) => id === wanted)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each id
  useEffect(() => {
    if (isUnknown) void refetch()
  }, [wanted, isUnknown])
  return isUnknown && !isFetching
}
