import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/**
 * The time after which a session can only add a second factor, for queries that join `users` and `workspace`;
 * null when the account has one or the workspace requires none.
 */
export const secondFactorDueAt = (): RawBuilder<string | null> => sql<string | null>`
  case when workspace.second_factor = 'required'
    and not exists (select from totp_secrets where user_id = users.id and confirmed_at is not null)
    and not exists (select from passkeys where user_id = users.id)
  then greatest(workspace.second_factor_required_at, users.created_at)
    + make_interval(days => workspace.second_factor_grace_days) end`

/** The state of an account's second factors, as the login and the account page show it. */
export interface FactorState {
  readonly is_required: boolean
  readonly due_at: string | null
  readonly reset_at: string | null
}

export async function readFactorState(db: Kysely<Database>, user_id: number): Promise<FactorState> {
  const row = await db
    .selectFrom('users')
    .innerJoin('workspace', (join) => join.onTrue())
    .select(['workspace.second_factor', 'users.factors_reset_at as reset_at'])
    .select(secondFactorDueAt().as('due_at'))
    .where('users.id', '=', user_id)
    .executeTakeFirst()
  return {
    is_required: row?.second_factor === 'required',
    due_at: row?.due_at ?? null,
    reset_at: row?.reset_at ?? null,
  }
}
