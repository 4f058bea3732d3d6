import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { conflict, forbidden, notFound } from '../../kernel/refusal.ts'
import { changeUser, lockUser, type User } from '../../structure/users/index.ts'

/**
 * Confirms the e-mail address of a person, which SCIM has changed. Refuses with `forbidden` a token, and with
 * `conflict` when the account has another address meanwhile.
 */
export async function confirmEmail(deps: WorkspaceWriteDeps, actor: UserActor, email: string): Promise<User> {
  if (actor.credential.kind !== 'session')
    throw forbidden('A personal access token cannot confirm an address. Sign in with a browser.')
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const locked = await lockUser(tx, actor.user_id)
    if (!locked) throw notFound('user')
    const { user } = locked
    if (user.email !== email)
      throw conflict('Your account has another e-mail address meanwhile. Load the page again, and check it.')
    const confirmed = { ...user, email_unconfirmed_since: null }
    if (user.email_unconfirmed_since === null) return { result: user, audit: [], changesAccess: false }
    await changeUser(tx, user.id, { email_unconfirmed_since: null })
    return {
      result: confirmed,
      audit: {
        project_id: null,
        environment_id: null,
        action: 'update',
        before: null,
        after: null,
        metadata: { origin: 'direct', resource: `user:${user.id}`, email: 'confirmed' },
      },
      changesAccess: false,
    }
  })
}
