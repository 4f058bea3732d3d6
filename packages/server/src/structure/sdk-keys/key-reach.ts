import { SERVER_KEY_PERMISSIONS } from '@burgee/contract'
import type { Actor, KeyKind } from '../../kernel/actor.ts'
import { forbidden, forbiddenIn } from '../../kernel/refusal.ts'
import { lacksIn, mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'

/** The caller who creates or revokes keys, and their membership in the project. */
export interface KeyManager {
  readonly actor: Actor
  readonly scope: ProjectScope
}

/**
 * Refuses unless the caller may create and revoke keys of the environment: a server key those of its own
 * environment only, a user those where the role permits it (docs/reference/access.md#sdk-keys).
 */
export function requireKeyReach({ actor, scope }: KeyManager, environment_id: string): void {
  if (actor.kind === 'user') {
    if (!mayInEnvironment(actor, scope, 'write_keys', environment_id))
      throw lacksIn('write_keys', { project_id: scope.project_id, environment_id })
    return
  }
  if (actor.environment_id !== environment_id) {
    throw forbiddenIn({
      ...actor,
      describe: (environment) =>
        `This key belongs to ${environment}: it may create and revoke keys of that environment only. ` +
        'Sign in as an admin of the project, or use the token of one.',
    })
  }
}

/**
 * Returns whether the caller sees the keys of an environment, their names included: those who may read it. A
 * server key sees all of its project.
 */
export function seesKeysOf({ actor, scope }: KeyManager, environment_id: string): boolean {
  return actor.kind === 'sdk_key' || mayInEnvironment(actor, scope, 'read_environment', environment_id)
}

/** The permissions that the work of an SDK amounts to. */
const SDK_PERMISSIONS = ['read_environment', 'ingest'] as const

/** Refuses a key that permits more than its creator may do: a server key has the rights of an admin. */
export function requireKeyWithin({ actor, scope }: KeyManager, kind: KeyKind, environment_id: string): void {
  if (actor.kind !== 'user') return
  const permissions = kind === 'server' ? [...SERVER_KEY_PERMISSIONS] : SDK_PERMISSIONS
  const lacking = permissions.find(
    (permission) => !mayInEnvironment(actor, scope, permission, environment_id),
  )
  if (lacking === undefined) return
  throw forbidden(
    `A ${kind} key permits ${lacking}, which your role lacks. Ask an admin of the project to create it.`,
  )
}
