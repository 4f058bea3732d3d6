import type { Environment, Member } from '@burgee/contract'

type EnvironmentRole = NonNullable<Member['environment_roles']>[number]

/** The roles of a member by environment; an environment without an entry goes by the role in the project. */
export type RolesByEnvironment = Readonly<Record<string, string>>

export const rolesByEnvironment = ({ environment_roles = [] }: Member): RolesByEnvironment =>
  Object.fromEntries(environment_roles.map(({ environment_id, role }) => [environment_id, role]))

/** Returns the roles that differ, as a patch has them: null where the role in the project applies again. */
export function changedRoles(before: RolesByEnvironment, after: RolesByEnvironment) {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return ids
    .filter((id) => before[id] !== after[id])
    .map((environment_id) => ({ environment_id, role: after[environment_id] ?? null }))
}

/** Returns a member's roles in single environments in words: `Viewer in Production`. */
export const describeEnvironmentRoles = (
  roles: readonly EnvironmentRole[],
  {
    environments,
    nameOf,
  }: { readonly environments: readonly Environment[]; readonly nameOf: (role: string) => string },
): string[] =>
  environments.flatMap(({ id, name }) => {
    const own = roles.find(({ environment_id }) => environment_id === id)
    return own ? [`${nameOf(own.role)} in ${name}`] : []
  })
