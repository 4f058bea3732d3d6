import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Config } from '../../platform/settings/config.ts'
import { createResetRequests } from './request-reset.ts'

/** Creates what sends one-time links, where e-mail is set up. */
export async function createLinkSending(
  { mail, publicUrl }: Pick<Config, 'mail' | 'publicUrl'>,
  deps: WorkspaceWriteDeps & { readonly newId: () => string; readonly log: Log },
) {
  // Loaded on demand: its library has as many files as the framework.
  const mailer = mail === null ? null : (await import('../../platform/mailer.ts')).createMailer(mail)
  const resets = mailer === null ? null : createResetRequests({ ...deps, publicUrl, mailer })
  return {
    publicUrl,
    mailer,
    resets,
    async close() {
      await resets?.settled()
      mailer?.close()
    },
  }
}
