import type { CurrentUser } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { type FactorState, readFactorState } from '../second-factors/index.ts'
import { readWorkspace, type WorkspaceState } from './queries.ts'

type Person = Pick<CurrentUser, 'email' | 'name' | 'role'>
type Factors = Pick<FactorState, 'due_at' | 'reset_at'>

/**
 * Returns the user as login, setup and the current-user endpoint show them (docs/reference/access.md#roles).
 */
export function toCurrentUser(
  { email, name, role }: Person,
  { workspace_name, is_setup_complete }: WorkspaceState,
  { due_at, reset_at }: Factors = { due_at: null, reset_at: null },
): CurrentUser {
  return {
    ...{ email, name, role, workspace_name, is_setup_complete },
    ...(due_at !== null && { second_factor_due_at: due_at }),
    ...(reset_at !== null && { second_factors_reset_at: reset_at }),
  }
}

/** Returns the user with what the workspace asks of their second factors. */
export async function toSignedInUser(
  db: Kysely<Database>,
  { id, ...person }: Person & { readonly id: number },
): Promise<CurrentUser> {
  return toCurrentUser(person, await readWorkspace(db), await readFactorState(db, id))
}

/** Adds the setting TOKEN_MAX_DAYS, which is null without a limit. */
export const withTokenLimit = (user: CurrentUser, tokenMaxDays: number | null): CurrentUser => ({
  ...user,
  ...(tokenMaxDays !== null && { token_max_days: tokenMaxDays }),
})
