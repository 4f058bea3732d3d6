import type { passkeyEndpoints } from '@burgee/contract'
import type { EndpointHandlers } from '../../../platform/replies/endpoint-handler.ts'
import type { FactorDeps } from '../enroll.ts'
import { requireSession } from '../second-factor.ts'
import { addPasskey, startPasskey } from './add-passkey.ts'
import { removePasskey, renamePasskey } from './change-passkey.ts'

type PasskeyHandlers = Pick<
  EndpointHandlers<typeof passkeyEndpoints>,
  'startPasskey' | 'addPasskey' | 'renamePasskey' | 'removePasskey'
>

/** These responses contain challenges and secrets, and no cache may store them. */
const SECRET = { 'cache-control': 'no-store' }

/** Handles the passkeys of one's own account. Logins with them are the part of `auth`. */
export function passkeyHandlers(deps: FactorDeps): PasskeyHandlers {
  return {
    async startPasskey({ actor, headers }) {
      requireSession(actor)
      return { status: 200, body: await startPasskey(deps, actor, headers.host), headers: SECRET }
    },
    async addPasskey({ actor, body, headers }) {
      requireSession(actor)
      const { passkey, recovery_codes } = await addPasskey(deps, actor, { ...body, host: headers.host })
      return { status: 200, body: { passkey, recovery_codes: [...recovery_codes] }, headers: SECRET }
    },
    async renamePasskey({ actor, body: { name }, params: { id } }) {
      return { status: 200, body: await renamePasskey(deps, actor, { id, name }) }
    },
    async removePasskey({ actor, params: { id } }) {
      await removePasskey(deps, actor, id)
      return { status: 204, body: null }
    },
  }
}
