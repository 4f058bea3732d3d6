import type { secondFactorEndpoints } from '@burgee/contract'
import { notFound } from '../../kernel/refusal.ts'
import { rowExists } from '../../platform/db/row-exists.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import type { FactorDeps } from './enroll.ts'
import { confirmTotp, startTotp } from './enroll-totp.ts'
import { listPasskeys } from './passkeys/queries.ts'
import { readFactorState } from './policy-queries.ts'
import { countFactors, findTotp } from './queries.ts'
import { removeTotp, renewRecoveryCodes, resetFactors } from './remove-factors.ts'
import { requireSession } from './second-factor.ts'
import { type NoticeDeps, sendResetNotice } from './send-reset-notice.ts'

/** These responses contain secrets, and no cache may store them. */
const SECRET = { 'cache-control': 'no-store' }

export function secondFactorHandlers(
  deps: FactorDeps & NoticeDeps,
): EndpointHandlers<typeof secondFactorEndpoints> {
  return {
    async getSecondFactors({ actor: { user_id } }) {
      const totp = await findTotp(deps.db, user_id)
      const { recovery_codes } = await countFactors(deps.db, user_id)
      const confirmed_at = totp?.confirmed_at ?? null
      const body = {
        totp: confirmed_at === null ? null : { confirmed_at },
        passkeys: await listPasskeys(deps.db, user_id),
        recovery_codes_left: recovery_codes,
        ...(await readFactorState(deps.db, user_id)),
      }
      return { status: 200, body }
    },
    async startTotp({ actor }) {
      requireSession(actor)
      return { status: 200, body: await startTotp(deps, actor), headers: SECRET }
    },
    async confirmTotp({ actor, body }) {
      requireSession(actor)
      const codes = await confirmTotp(deps, actor, body.code)
      return { status: 200, body: { recovery_codes: [...codes] }, headers: SECRET }
    },
    async removeTotp({ actor }) {
      requireSession(actor)
      await removeTotp(deps, actor)
      return { status: 204, body: null }
    },
    async renewRecoveryCodes({ actor }) {
      requireSession(actor)
      const codes = await renewRecoveryCodes(deps, actor)
      return { status: 200, body: { recovery_codes: [...codes] }, headers: SECRET }
    },
    async resetUserFactors({ actor, params }) {
      // Refuses what does not exist before it refuses the credential.
      if (!(await rowExists(deps.db, 'users', { id: params.id, kind: 'person' }))) throw notFound('user')
      requireSession(actor)
      const hadFactors = await resetFactors(deps, actor, params)
      if (hadFactors) await sendResetNotice(deps, params.id)
      return { status: 204, body: null }
    },
  }
}
