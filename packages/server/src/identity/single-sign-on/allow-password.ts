import type { Kysely } from 'kysely'
import { recordAudit } from '../../changes/index.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findAccountByEmail } from '../accounts/index.ts'
import { putPasswordException, readDatabaseTime } from './queries.ts'

const ALLOWED_MS = 60 * 60_000
/** The name of the actor in the audit log: whose command it was, the operating system knows. */
const OPERATOR = 'operator (command line)'

type Allowed =
  | { readonly kind: 'allowed'; readonly email: string; readonly until: string }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * Lets an account sign in with its password for an hour while PASSWORD_LOGIN is off. The audit log has an
 * entry.
 */
export async function allowPassword(db: Kysely<Database>, email: string): Promise<Allowed> {
  return db.transaction().execute(async (tx) => {
    const account = await findAccountByEmail(tx, email)
    if (!account) return refused(`There is no account with the e-mail address ${email}.`)
    if (account.disabled_at !== null) return refused(`The account ${account.email} is disabled.`)
    if (!account.has_password) return refused(`The account ${account.email} has no password.`)
    const now = await readDatabaseTime(tx)
    const until = new Date(now.getTime() + ALLOWED_MS).toISOString()
    await putPasswordException(tx, { user_id: account.id, allowed_until: until })
    await recordAudit(tx, {
      project_id: null,
      environment_id: null,
      flag_key: '',
      action: 'update',
      actor_email: OPERATOR,
      before: null,
      after: { allowed_until: until },
      metadata: { origin: 'direct', resource: `user:${account.id}` },
      now: now.toISOString(),
    })
    return { kind: 'allowed', email: account.email, until }
  })
}

const refused = (reason: string): Allowed => ({ kind: 'refused', reason })
