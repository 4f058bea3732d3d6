import type { Endpoint } from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { ProjectScope } from '../../kernel/scope.ts'
import type { Address, Lookup, LookupKind, PathParams } from '../../platform/composition.ts'
import { nounOfKind } from './nouns.ts'

/** The look-ups behind a path, each from its feature. `user_id` is null for SDK keys. */
export interface ScopeLookups {
  readonly findProject: (project_id: string, user_id: number | null) => Promise<ProjectScope | null>
  readonly findEnvironment: (environment_id: string, user_id: number | null) => Promise<ProjectScope | null>
  /** Returns the name of an environment of the project; undefined when there is none. */
  readonly environmentName: (project_id: string, environment_id: string) => Promise<string | undefined>
  readonly exists: Readonly<Record<LookupKind, Lookup>>
}

/** Looks up the project or environment in the path; 404 when it does not exist (docs/reference/api.md). */
export async function resolveScope(
  lookups: ScopeLookups,
  params: PathParams,
  actor: Actor,
): Promise<ProjectScope | null> {
  return findOwnEnvironment(params, actor) ?? findContainer(lookups, params, userIdOf(actor))
}

/**
 * Refuses with 404 when the thing that the path names below its project or environment does not exist. A
 * successful request finds this out by itself; this runs before any other refusal is sent.
 */
export async function requireAddressed(
  lookups: ScopeLookups,
  { addresses }: Endpoint,
  at: Address,
): Promise<void> {
  if (!addresses || (await lookups.exists[addresses](at))) return
  throw notFound(nounOfKind(addresses))
}

const userIdOf = (actor: Actor): number | null => (actor.kind === 'user' ? actor.user_id : null)

/** Returns the key's own environment. A valid key proves that it exists, so no query is needed. */
function findOwnEnvironment({ env_id, project_id }: PathParams, actor: Actor): ProjectScope | null {
  if (actor.kind !== 'sdk_key' || project_id !== undefined || env_id !== actor.environment_id) return null
  return { project_id: actor.project_id, membership: null, environment: { id: actor.environment_id } }
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
