import { type Static, Type } from 'typebox'
import { PERMISSIONS } from '../access.ts'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import {
  ROLE_DESCRIPTION_MAX_LENGTH,
  ROLE_KEY_MAX_LENGTH,
  ROLE_KEY_PATTERN,
  ROLE_NAME_MAX_LENGTH,
} from '../limits.ts'
import { CreatedAt, plainName, uuid } from './common.ts'

const permission = Type.Enum([...PERMISSIONS], {
  description: `What a role permits: ${PERMISSIONS.map((name) => `\`${name}\``).join(', ')}. The description of each endpoint names its permission`,
})

const roleKey = Type.String({
  minLength: 1,
  maxLength: ROLE_KEY_MAX_LENGTH,
  pattern: ROLE_KEY_PATTERN,
  description: 'Lower-case letters, digits, hyphen and underscore; unique, and never changed',
})
const roleName = plainName(ROLE_NAME_MAX_LENGTH)
const roleDescription = Type.String({ maxLength: ROLE_DESCRIPTION_MAX_LENGTH })
const permissions = Type.Array(permission, {
  maxItems: PERMISSIONS.length,
  uniqueItems: true,
  description: 'What members with the role may do; an empty list permits nothing',
})

/** A role for members of projects: a built-in or a custom one (docs/reference/access.md#custom-roles). */
export const CustomRole = Type.Object(
  {
    key: roleKey,
    name: Type.String(),
    description: Type.String(),
    permissions,
    is_built_in: Type.Boolean({ description: 'True for viewer, editor and admin, which cannot be changed' }),
    member_count: Type.Integer({ description: 'Memberships of projects with this role' }),
    override_count: Type.Integer({ description: 'Memberships with this role in single environments' }),
    created_at: CreatedAt,
  },
  { examples: [EXAMPLE_SHOP.role] },
)
export type CustomRole = Static<typeof CustomRole>

export const CustomRoleInput = Type.Object(
  {
    key: roleKey,
    name: roleName,
    description: Type.Optional(roleDescription),
    permissions,
  },
  {
    examples: [
      {
        key: EXAMPLE_SHOP.role.key,
        name: EXAMPLE_SHOP.role.name,
        permissions: [...EXAMPLE_SHOP.role.permissions],
      },
    ],
  },
)
export type CustomRoleInput = Static<typeof CustomRoleInput>

export const CustomRolePatch = Type.Object(
  {
    name: Type.Optional(roleName),
    description: Type.Optional(roleDescription),
    permissions: Type.Optional(permissions),
  },
  { examples: [{ name: 'Release manager' }] },
)
export type CustomRolePatch = Static<typeof CustomRolePatch>

const grant = {
  role: Type.String({ description: 'viewer, editor, admin, or the key of a custom role' }),
  permissions,
}

/** The caller's rights in a project (docs/reference/access.md#roles). */
export const OwnAccess = Type.Object(
  {
    is_workspace_admin: Type.Boolean({ description: 'A workspace admin may do everything in every project' }),
    role: Type.Union([grant.role, Type.Null()], { description: 'Null for a caller who is not a member' }),
    permissions,
    environments: Type.Array(Type.Object({ environment_id: uuid({}), ...grant }), {
      description: 'The environments in which another role applies',
    }),
  },
  {
    examples: [
      {
        is_workspace_admin: false,
        role: 'viewer',
        permissions: ['read_project', 'read_environment'],
        environments: [],
      },
    ],
  },
)
export type OwnAccess = Static<typeof OwnAccess>
