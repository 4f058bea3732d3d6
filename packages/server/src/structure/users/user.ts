import type { Selectable } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** A user as the API shows them; the password's hash never leaves the server. */
export type User = Omit<
  Selectable<Database['users']>,
  'password_hash' | 'password_version' | 'role_source' | 'factors_reset_at' | 'kind' | 'maker_ids'
>

/** Returns the fields of a user for the audit log. */
export const toAuditedUser = ({ disabled_at, email, name, role }: User) => ({
  name,
  email,
  role,
  ...(disabled_at !== null && { disabled_at }),
})

/** Returns the resource name of a user in the audit log. */
export const userResource = (id: number): string => `user:${id}`
