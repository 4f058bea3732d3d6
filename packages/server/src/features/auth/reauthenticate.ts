import type { UserActor } from '../../kernel/actor.ts'
import { forbidden, Refusal, unavailable } from '../../kernel/refusal.ts'
import { lockUserForShare } from '../users/index.ts'
import type { KnownDevice, KnownDevices } from './known-devices.ts'
import type { LoginRequest, Sessions } from './sessions.ts'
import { type PasswordCheckDeps, verifyPassword } from './verify-password.ts'

interface ReauthenticateDeps extends PasswordCheckDeps {
  readonly sessions: Sessions
  readonly knownDevices: KnownDevices
}

interface PasswordProof extends LoginRequest {
  readonly password: string
  readonly devices: readonly KnownDevice[]
}

/**
 * Confirms with the password that the person at a session is its user, and replaces the cookie. Refuses with
 * `forbidden` for a wrong password, which counts like a failed login, and for a token; with `too_many` while
 * the account is locked.
 */
export async function reauthenticate(
  deps: ReauthenticateDeps,
  { credential, email, user_id }: UserActor,
  request: PasswordProof,
): Promise<{ readonly cookies: readonly string[] }> {
  if (credential.kind !== 'session') {
    throw forbidden('A personal access token is not a session, and needs no confirmation.')
  }
  const { sessionId } = credential
  const verdict = await verifyPassword(deps, { ...request, email }, ({ settle, user }) =>
    deps.db.transaction().execute(async (tx) => {
      await settle(tx)
      // The e-mail may have been given to another account since the session was read.
      if (user.id !== user_id || !(await lockUserForShare(tx, user))) throw changed()
      const { cookie } = await deps.sessions.confirmAuthentication(tx, sessionId, {
        method: 'password',
        request,
      })
      const account = { userId: user.id, passwordVersion: user.password_version }
      return { cookies: [cookie, deps.knownDevices.remember(request.devices, account)] }
    }),
  )
  if (verdict.kind === 'right') return verdict.result
  const { attempts_remaining } = verdict
  throw new Refusal('forbidden', 'The password is wrong.', { attempts_remaining })
}

const changed = () => unavailable('The account has just changed. Try again.')
