import type { CurrentUser } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { type FactorState, readFactorState } from '../second-factors/index.ts'
import { readUnconfirmedSince, readWorkspace, type WorkspaceState } from './queries.ts'

type Person = Pick<CurrentUser, 'email' | 'name' | 'role'>

/** The notices for a person about their account. */
interface Notices extends Pick<FactorState, 'due_at' | 'reset_at'> {
  /** The time at which SCIM changed the e-mail address; null once it is confirmed. */
  readonly email_unconfirmed_since: string | null
}
const NONE: Notices = { due_at: null, reset_at: null, email_unconfirmed_since: null }

/**
 * Returns the user as login, setup and the current-user endpoint show them (docs/reference/access.md#roles).
 */
export function toCurrentUser(
  { email, name, role }: Person,
  { workspace_name, is_setup_complete }: WorkspaceState,
  { due_at, email_unconfirmed_since, reset_at }: Notices = NONE,
): CurrentUser {
  return {
    ...{ email, name, role, workspace_name, is_setup_complete },
    ...(due_at !== null && { second_factor_due_at: due_at }),
    ...(reset_at !== null && { second_factors_reset_at: reset_at }),
    ...(email_unconfirmed_since !== null && { email_unconfirmed_since }),
  }
}

/** Returns the user with what they should know or do about their account. */
export async function toSignedInUser(
  db: Kysely<Database>,
  { id, ...person }: Person & { readonly id: number },
): Promise<CurrentUser> {
  const [workspace, factors] = [await readWorkspace(db), await readFactorState(db, id)]
  const email_unconfirmed_since = await readUnconfirmedSince(db, id)
  return toCurrentUser(person, workspace, { ...factors, email_unconfirmed_since })
}

/** Adds the setting TOKEN_MAX_DAYS, which is null without a limit. */
export const withTokenLimit = (user: CurrentUser, tokenMaxDays: number | null): CurrentUser => ({
  ...user,
  ...(tokenMaxDays !== null && { token_max_days: tokenMaxDays }),
})
