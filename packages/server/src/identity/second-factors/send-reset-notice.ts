import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Mail, Mailer } from '../../platform/mailer.ts'
import { findUser } from '../../structure/users/index.ts'

export interface NoticeDeps {
  readonly db: Kysely<Database>
  readonly log: Log
  /** Null where no e-mail is sent. */
  readonly mailer: Mailer | null
}

/**
 * Notifies a user by e-mail that an admin has removed their second factors. Where no e-mail is sent, or
 * sending fails, the next login states it.
 */
export async function sendResetNotice({ db, log, mailer }: NoticeDeps, user_id: number): Promise<void> {
  if (mailer === null) return
  try {
    const user = await findUser(db, user_id)
    if (user) await mailer.send(toMail(user))
  } catch (err) {
    log.warn({ err }, 'a notice about second factors could not be sent by e-mail')
  }
}

function toMail({ email, name }: { readonly email: string; readonly name: string }): Mail {
  const text = [
    `Hello ${name},`,
    'A workspace admin has removed the second factors of your Burgee account: authenticator app, passkeys and recovery codes. Your password alone signs you in now.',
    'If you did not request this, write to a workspace admin and change your password. Then set up a second factor again under "My account > Security".',
  ]
  return { to: email, subject: 'Your second factors for Burgee were removed', text: `${text.join('\n\n')}\n` }
}
