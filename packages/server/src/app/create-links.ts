import type { WorkspaceWriteDeps } from '../changes/index.ts'
import { createResetRequests } from '../features/one-time-links/index.ts'
import { createGroupChanges } from '../features/single-sign-on/index.ts'
import type { Log } from '../platform/log.ts'
import { createMailer } from '../platform/mailer.ts'
import type { Config } from '../platform/settings/config.ts'

/** Creates what sends one-time links, where e-mail is set up, and what gives people the roles of groups. */
export function createLinks(
  { mail, publicUrl }: Config,
  deps: WorkspaceWriteDeps & { readonly newId: () => string; readonly log: Log },
) {
  const mailer = mail === null ? null : createMailer(mail)
  const base = { publicUrl, mailer }
  const groupChanges = createGroupChanges(deps)
  return {
    ...base,
    groupChanges,
    resets: mailer === null ? null : createResetRequests({ ...deps, ...base }),
    async close() {
      await groupChanges.close()
      await this.resets?.settled()
      mailer?.close()
    },
  }
}
