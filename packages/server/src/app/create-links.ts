import type { WorkspaceWriteDeps } from '../changes/index.ts'
import { createGroupChanges } from '../identity/group-roles/index.ts'
import { createResetRequests } from '../identity/one-time-links/index.ts'
import type { Log } from '../platform/log/log.ts'
import type { Config } from '../platform/settings/config.ts'

/** Creates what sends one-time links, where e-mail is set up, and what gives people the roles of groups. */
export async function createLinks(
  { mail, publicUrl }: Config,
  deps: WorkspaceWriteDeps & { readonly newId: () => string; readonly log: Log },
) {
  // Loaded on demand: its library has as many files as the framework.
  const mailer = mail === null ? null : (await import('../platform/mailer.ts')).createMailer(mail)
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
