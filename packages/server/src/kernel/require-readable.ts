import type { Actor } from './actor.ts'
import { forbiddenIn } from './refusal.ts'
import { lacksIn, mayInEnvironment, type ProjectScope } from './scope.ts'

/**
 * Refuses with `forbidden` who may not read an environment of the project. An SDK key reads only its own.
 */
export function requireReadable(
  actor: Actor,
  scope: Pick<ProjectScope, 'project_id' | 'membership'>,
  environment_id: string,
  permission: 'read_environment' | 'read_project' = 'read_environment',
): void {
  const { project_id } = scope
  if (actor.kind !== 'sdk_key') {
    if (mayInEnvironment(actor, scope, permission, environment_id)) return
    throw lacksIn(permission, { project_id, environment_id })
  }
  if (actor.environment_id === environment_id) return
  throw forbiddenIn({
    project_id,
    environment_id: actor.environment_id,
    describe: (own) =>
      `This key belongs to the environment ${own} and reads no other. Use a session or a personal access token.`,
  })
}

/** Returns the project of a caller, and the check of its other environments. */
export const readerOf = (actor: Actor, scope: Pick<ProjectScope, 'project_id' | 'membership'>) => ({
  project_id: scope.project_id,
  requireReadable: (environment_id: string) => requireReadable(actor, scope, environment_id),
})
