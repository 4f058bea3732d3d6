export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** Removes the schema from the name of an attribute: `urn:...:User:userName`. Names ignore case. */
export function withoutSchema(name: string, schema: string): string {
  const prefix = `${schema}:`
  return name.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase()
    ? name.slice(prefix.length)
    : name
}
