import { createTransport } from 'nodemailer'

/** An e-mail of plain text. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends e-mails through one SMTP server. */
export interface Mailer {
  /** Resolves when the SMTP server has accepted the e-mail. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** The time that a step of a delivery may take. */
const STEP_TIMEOUT_MS = 10_000

/** Creates a mailer for `SMTP_URL`. Content never comes from files or addresses on the network. */
export function createMailer({ from, url }: { readonly url: string; readonly from: string }): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ subject, text, to }) {
      // An object, so that a comma in an address does not name two receivers.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    },
    close: () => transport.close(),
  }
}
