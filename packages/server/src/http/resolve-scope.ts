import type { Addressed, Endpoint } from '@burgee/contract'
import type { Actor } from '../kernel/actor.ts'
import { notFound } from '../kernel/refusal.ts'
import type { ProjectScope } from '../kernel/scope.ts'

/** The look-ups behind a path; each feature's door gives its own. `user_id` is null for SDK keys. */
export interface ScopeLookups {
  readonly findProject: (project_id: string, user_id: number | null) => Promise<ProjectScope | null>
  readonly findEnvironment: (environment_id: string, user_id: number | null) => Promise<ProjectScope | null>
  readonly exists: Record<Addressed, (scope: ProjectScope, params: PathParams) => Promise<boolean>>
}

export type PathParams = Readonly<Record<string, unknown>>

/**
 * Looks up what the path addresses, from the outside in: project or environment, then the thing within it. Whatever is
 * not there is 404, before anything is said about rights (contract, section 3, order of checks).
 */
export async function resolveScope(
  lookups: ScopeLookups,
  endpoint: Endpoint,
  params: PathParams,
  actor: Actor,
): Promise<ProjectScope | null> {
  const scope = await findContainer(lookups, params, actor.kind === 'user' ? actor.user_id : null)
  if (scope && endpoint.addresses && !(await lookups.exists[endpoint.addresses](scope, params))) {
    throw notFound(endpoint.addresses.replace('_', ' '))
  }
  return scope
}

async function findContainer(
  lookups: ScopeLookups,
  { project_id, env_id }: PathParams,
  user_id: number | null,
): Promise<ProjectScope | null> {
  if (typeof env_id === 'string') {
    const scope = await lookups.findEnvironment(env_id, user_id)
    if (!scope || (typeof project_id === 'string' && scope.project_id !== project_id.toLowerCase())) {
      throw notFound('environment')
    }
    return scope
  }
  if (typeof project_id === 'string') {
    const scope = await lookups.findProject(project_id, user_id)
    if (!scope) throw notFound('project')
    return scope
  }
  return null
}
