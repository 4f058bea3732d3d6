import { isAllowed, type Permission } from '@burgee/contract'
import type { Actor } from './actor.ts'
import { forbiddenIn } from './refusal.ts'

/** The project that a request's path names, and the environment if it names one. It is looked up once. */
export interface ProjectScope {
  readonly project_id: string
  /** The caller's membership in the project; null without one and for SDK keys. */
  readonly membership: Membership | null
  readonly environment: EnvironmentScope | null
}

export interface EnvironmentScope {
  readonly id: string
}

/** A role and what it permits. */
export interface RoleGrant {
  /** `admin`, `editor`, `viewer`, or the key of a custom role. */
  readonly role: string
  readonly permissions: ReadonlySet<Permission>
}

/** The roles of a user in one project. */
export interface Membership {
  readonly inProject: RoleGrant
  /** The environments with another role, by their ids. */
  readonly overrides: ReadonlyMap<string, RoleGrant>
}

/** Returns the role that applies in an environment of the project, or in the project itself without an id. */
export const grantIn = (
  { inProject, overrides }: Membership,
  environment_id: string | undefined,
): RoleGrant => (environment_id === undefined ? undefined : overrides.get(environment_id)) ?? inProject

/** Returns the refusal of a user who lacks the permission in another environment than that of the path. */
export const lacksIn = (
  permission: Permission,
  place: { readonly project_id: string; readonly environment_id: string },
) =>
  forbiddenIn({
    ...place,
    describe: (environment) =>
      `This needs the permission ${permission} in ${environment}, which your role there lacks. Ask an admin of the project.`,
  })

/**
 * Returns whether a user has the permission in another environment of the project than the one that was
 * authorized. False for SDK keys.
 */
export function mayInEnvironment(
  actor: Actor,
  { membership }: Pick<ProjectScope, 'membership'>,
  permission: Permission,
  environment_id: string,
): boolean {
  if (actor.kind !== 'user') return false
  const permissions = membership && grantIn(membership, environment_id).permissions
  return isAllowed(permission, { workspaceRole: actor.role, permissions })
}
