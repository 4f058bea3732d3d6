import type { UserActor } from '../../kernel/actor.ts'
import { forbidden, unavailable } from '../../kernel/refusal.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { KnownDevice, KnownDevices } from '../passwords/index.ts'
import { type AttemptDeps, countAddress } from '../passwords/index.ts'
import type { Proof } from '../second-factors/index.ts'
import type { PasskeyLoginDeps } from './log-in-with-passkey.ts'
import { findAccount, lockLoginUser } from './queries.ts'
import { requireSessionId } from './reauthenticate.ts'
import type { LoginRequest } from './sessions.ts'

interface ConfirmDeps extends AttemptDeps, Pick<PasskeyLoginDeps, 'sessions' | 'factors'> {
  readonly knownDevices: KnownDevices
}

interface PasskeyConfirmation extends LoginRequest {
  readonly proof: Extract<Proof, { readonly kind: 'passkey' }>
  readonly devices: readonly KnownDevice[]
}

/**
 * Confirms that the person at a session is its user, with one of the user's passkeys and no password;
 * replaces the cookie. Refuses with `forbidden` a response that is wrong, too old or used before, and a
 * token; with `too_many` an address that failed too often.
 */
export async function confirmWithPasskey(
  deps: ConfirmDeps,
  actor: UserActor,
  { devices, proof: { assertion, request: from }, ...request }: PasskeyConfirmation,
): Promise<{ readonly cookies: readonly string[] }> {
  const sessionId = requireSessionId(actor)
  const { user_id } = actor
  const verdict = await countAddress(deps, countedNetwork(request.address), async () => {
    const passkey = await deps.factors.passkeys.check({
      assertion,
      request: from,
      purpose: 'confirm',
      user_id,
    })
    if (!passkey) return { kind: 'wrong' } as const
    const cookies = await deps.db.transaction().execute(async (tx) => {
      const user = await findAccount(tx, user_id)
      if (!user || !(await lockLoginUser(tx, user)))
        throw unavailable('The account has just changed. Try again.')
      if (!(await passkey.use(tx))) return null
      const login = { method: 'passkey', request } as const
      const { cookie } = await deps.sessions.confirmAuthentication(tx, sessionId, login)
      const known = { userId: user_id, passwordVersion: user.password_version }
      return [cookie, deps.knownDevices.remember(devices, known)]
    })
    return cookies ? ({ kind: 'right', cookies } as const) : ({ kind: 'wrong' } as const)
  })
  if (verdict.kind === 'right') return { cookies: verdict.cookies }
  throw forbidden('This passkey was not accepted: it is not yours, or its response is too old. Try again.')
}
