import type { Endpoint } from '@burgee/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../kernel/actor.ts'
import { isUuid } from '../../kernel/is-uuid.ts'
import { malformed, notFound } from '../../kernel/refusal.ts'
import type { PathParams } from '../../platform/composition.ts'

/**
 * Returns the environment of an endpoint whose path names none: `?environment_id=`, or that of the SDK key.
 * Refuses where neither names one.
 */
export function environmentInQuery(
  { environmentInQuery: isInQuery }: Endpoint,
  { query }: Pick<FastifyRequest, 'query'>,
  actor: Actor,
): PathParams {
  if (isInQuery !== true) return {}
  const { environment_id }: PathParams = Object(query)
  if (environment_id === undefined) {
    if (actor.kind === 'sdk_key') return { env_id: actor.environment_id }
    throw malformed('Name the environment with ?environment_id=, or send a server key of it.')
  }
  if (typeof environment_id !== 'string' || !isUuid(environment_id)) throw notFound('environment')
  return { env_id: environment_id.toLowerCase() }
}
