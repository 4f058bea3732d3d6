import type { Selectable } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** A user as the API shows one; the password's hash never leaves the server. */
export type User = Omit<Selectable<Database['users']>, 'password_hash' | 'password_version'>

/** With the lock of their logins, as workspace admins see it. */
export type ShownUser = User & { readonly locked_until: string | null }

/** What the audit log tells of a user. */
export const toAuditedUser = ({ email, name, role }: User) => ({ name, email, role })

/** What the audit log names a user by. */
export const userResource = (id: number): string => `user:${id}`
