import { USER_SCHEMA } from './schema-uris.ts'
import type { ScimContext } from './scim-context.ts'
import type { ManagedUser } from './user-queries.ts'

/** Builds the resource of an account: the names as the provider sent them, and the state as it is here. */
export function toUserResource(user: ManagedUser, { baseUrl }: Pick<ScimContext, 'baseUrl'>): object {
  const { created_at, disabled_at, email, external_id, id, profile, updated_at, user_name } = user
  const { displayName = user.name, emails, name } = profile
  return {
    schemas: [USER_SCHEMA],
    id: String(id),
    ...(external_id !== null && { externalId: external_id }),
    userName: user_name,
    displayName,
    ...(name && { name }),
    emails: emails ?? [{ value: email, type: 'work', primary: true }],
    active: disabled_at === null,
    meta: {
      resourceType: 'User',
      created: created_at,
      lastModified: updated_at,
      location: `${baseUrl}/Users/${id}`,
    },
  }
}
