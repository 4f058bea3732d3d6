import type { Endpoint } from '@burgee/contract'
import type { FastifyRequest } from 'fastify'
import { type Actor, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { isUuid } from '../../kernel/is-uuid.ts'
import type { PathParams } from '../../platform/composition.ts'
import type { ActorAccess } from './authorize.ts'

/** A project that the query names, and the access to it that is enough. */
interface ProjectAccess {
  readonly params: PathParams
  readonly access: ActorAccess
}

/** Returns the project that the query names, where access to it is enough; null for workspace admins. */
export function projectInQuery(
  { accessInProject: access }: Endpoint,
  { query }: Pick<FastifyRequest, 'query'>,
  actor: Actor,
): ProjectAccess | null {
  if (access === undefined || isWorkspaceAdmin(actor)) return null
  const { project_id }: PathParams = Object(query)
  if (typeof project_id !== 'string' || !isUuid(project_id)) return null
  return { params: { project_id: project_id.toLowerCase() }, access }
}
