import type { SentLink } from '@burgee/contract'
import type { Log } from '../../platform/log/log.ts'
import type { Mail, Mailer } from '../../platform/mailer.ts'
import type { CreatedLink } from './create-link.ts'

export interface DeliveryDeps {
  readonly log: Log
  /** Null where no e-mail is sent. */
  readonly mailer: Mailer | null
}

/**
 * Sends a link by e-mail; where that is not possible, the caller has to hand it over. None is sent to an
 * address that SCIM has changed and that the person has not confirmed.
 */
export async function deliverLink(
  { log, mailer }: DeliveryDeps,
  created: CreatedLink,
): Promise<Pick<SentLink, 'sent_to' | 'link'>> {
  const shown = { sent_to: null, link: created.link }
  if (mailer === null || created.user.email_unconfirmed_since !== null) return shown
  try {
    await mailer.send(toMail(created))
    return { sent_to: created.user.email, link: null }
  } catch (err) {
    log.warn({ err }, 'a one-time link could not be sent by e-mail')
    return shown
  }
}

const WORDS = {
  invitation: {
    subject: 'Your invitation to Burgee',
    opening: 'You have been invited to Burgee. Set your password here:',
  },
  password_reset: {
    subject: 'Set a new password for Burgee',
    opening: 'Somewhere a new password for your account was requested. Set it here:',
  },
} as const

function toMail({ link, purpose, user }: CreatedLink): Mail {
  const { opening, subject } = WORDS[purpose]
  const text = [
    `Hello ${user.name},`,
    opening,
    link,
    'The link is valid for one hour and works once. If you did not expect it, ignore this e-mail: nothing changes.',
  ]
  return { to: user.email, subject, text: `${text.join('\n\n')}\n` }
}
