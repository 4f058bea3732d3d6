import type { passkeyEndpoints } from '@burgee/contract'
import { conflict, tooMany } from '../../kernel/refusal.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { AttemptWindow } from '../../platform/concurrency/attempt-window.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { listCredentials, requestOptions, requireSession } from '../second-factors/index.ts'
import { withTokenLimit } from './current-user.ts'
import { logInWithPasskey, type PasskeyLoginDeps } from './log-in-with-passkey.ts'
import { stepExpired } from './log-in-with-second-factor.ts'
import { findLoginUser } from './queries.ts'

interface Deps extends PasskeyLoginDeps {
  /** Challenges by network. */
  readonly challenges: AttemptWindow
  /** The setting TOKEN_MAX_DAYS; null without a limit. */
  readonly tokenMaxDays: number | null
}

type Handlers = Pick<
  EndpointHandlers<typeof passkeyEndpoints>,
  'startPasskeyLogin' | 'loginWithPasskey' | 'startPasskeyConfirmation'
>

const SECRET = { 'cache-control': 'no-store' }

/** Handles logins and confirmations with a passkey. */
export function passkeyLoginHandlers(deps: Deps): Handlers {
  const { challenges, db, factors, firstSteps, knownDevices } = deps
  return {
    async startPasskeyLogin({ address, body: { purpose }, headers }) {
      countChallenge(challenges, address)
      const user_id =
        purpose === 'login' ? null : await userOfFirstStep(deps, firstSteps.read(headers.cookie))
      const ceremony = factors.passkeys.begin(headers.host, { purpose, user_id })
      const credentials = user_id === null ? [] : await listCredentials(db, user_id)
      return { status: 200, body: requestOptions({ ...ceremony, credentials }), headers: SECRET }
    },
    async loginWithPasskey({ address, body: { passkey }, headers, request_id }) {
      const { cookies, user } = await logInWithPasskey(deps, {
        assertion: passkey,
        devices: knownDevices.read(headers.cookie),
        userAgent: headers['user-agent'],
        host: headers.host,
        address,
        request_id,
      })
      const body = withTokenLimit(user, deps.tokenMaxDays)
      return { status: 200, body, headers: { 'set-cookie': cookies } }
    },
    async startPasskeyConfirmation({ actor, headers }) {
      requireSession(actor)
      const { user_id } = actor
      const ceremony = factors.passkeys.begin(headers.host, { purpose: 'confirm', user_id })
      const credentials = await listCredentials(db, user_id)
      if (credentials.length === 0) throw conflict('This account has no passkey. Confirm with the password.')
      return { status: 200, body: requestOptions({ ...ceremony, credentials }), headers: SECRET }
    },
  }
}

function countChallenge(challenges: AttemptWindow, address: string): void {
  const network = countedNetwork(address)
  const seconds = challenges.retryAfterSeconds(network)
  if (seconds !== null)
    throw tooMany('Too many attempts to sign in from this address. Try again later.', seconds)
  challenges.count(network)
}

async function userOfFirstStep(
  { db }: Pick<Deps, 'db'>,
  first: ReturnType<Deps['firstSteps']['read']>,
): Promise<number> {
  const user = first && (await findLoginUser(db, first))
  if (!user) throw stepExpired()
  return user.id
}
