import type { Kysely } from 'kysely'
import { forbidden } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/tables.ts'
import { hasPasswordException } from './queries.ts'

/**
 * Refuses a login with a password or passkey while PASSWORD_LOGIN is off, except for an account that the
 * operator has let in for an hour (docs/sso.md).
 */
export async function requireException(
  { clock, db }: { readonly clock: Clock; readonly db: Kysely<Database> },
  email: string,
  what: 'Passwords' | 'Passkeys' = 'Passwords',
): Promise<void> {
  if (await hasPasswordException(db, email, clock.now().toISOString())) return
  throw forbidden(
    `${what} are switched off. Sign in with the identity provider; in an emergency, the operator of this server can allow your password for an hour.`,
  )
}
