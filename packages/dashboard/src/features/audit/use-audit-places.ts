import type { PlacedAuditEntry } from '@burgee/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import type { EntryPlace } from './entry-place.ts'

/** Projects whose environments are read for their names. */
const PROJECTS_READ = 20

/** A project that entries can be about. */
export interface AuditedProject {
  readonly id: string
  readonly name: string
  readonly isDeleted: boolean
}

/** The projects, and those that the latest entries state were deleted. */
export function useAuditedProjects(): readonly AuditedProject[] {
  const { data: projects = [] } = useQuery(endpointQuery('listProjects', {}))
  const { data: entries = [] } = useQuery(
    endpointQuery('listWorkspaceAudit', { query: { group: 'projects', action: 'delete', limit: 200 } }),
  )
  const deleted = entries.flatMap(({ before_data, metadata, project_id }) =>
    project_id !== null && metadata?.resource === `project:${project_id}`
      ? [{ id: project_id, name: String(before_data.name ?? project_id), isDeleted: true }]
      : [],
  )
  return [...projects.map(({ id, name }) => ({ id, name, isDeleted: false })), ...deleted]
}

/** Returns a function that names the place of an entry: its project, and its environment. */
export function useAuditPlaces(
  projects: readonly AuditedProject[],
  entries: readonly PlacedAuditEntry[],
): (entry: PlacedAuditEntry) => EntryPlace {
  const present = projects.filter(
    ({ id, isDeleted }) => !isDeleted && entries.some(({ project_id }) => project_id === id),
  )
  const lists = useQueries({
    queries: present
      .slice(0, PROJECTS_READ)
      .map(({ id }) => endpointQuery('listEnvironments', { params: { project_id: id } })),
  })
  const environments = lists.flatMap(({ data = [] }) => data)
  return ({ environment_id, project_id }) => {
    if (project_id === null) return { label: 'Workspace', environment: null }
    const project = projects.find(({ id }) => id === project_id)
    const environment = environments.find(({ id }) => id === environment_id)
    const name = project?.name ?? 'A deleted project'
    const suffix = project?.isDeleted ? ' (deleted)' : ''
    return {
      label: environment ? `${name} › ${environment.name}` : `${name}${suffix}`,
      color: environment?.color,
      environment: environment ? { project_id, environment_id: environment.id } : null,
    }
  }
}

/** Returns a function that names a chain by its environment, or by the start of its id. */
export function useChainNames(projects: readonly AuditedProject[]): (chain: string) => string {
  const present = projects.filter(({ isDeleted }) => !isDeleted).slice(0, PROJECTS_READ)
  const lists = useQueries({
    queries: present.map(({ id }) => endpointQuery('listEnvironments', { params: { project_id: id } })),
  })
  const names = new Map(
    present.flatMap((project, nth) =>
      (lists[nth]?.data ?? []).map(({ id, name }) => [id, `${project.name} › ${name}`] as const),
    ),
  )
  return (chain) =>
    chain === 'workspace' ? 'Workspace' : (names.get(chain) ?? `Environment ${chain.slice(0, 8)}`)
}
