import { writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { conflict, invalid } from '../../kernel/refusal.ts'
import { completeEnrollment, type FactorDeps, ISSUER } from './enroll.ts'
import { factorAudit } from './factor-audit.ts'
import { confirmTotpRow, findTotp, lockAccount, storeTotp } from './queries.ts'
import { matchTotp, otpauthUrl, TOTP_SECRET_BYTES, toBase32 } from './totp.ts'

/** Creates an unconfirmed secret. Refuses with `conflict` when the account has a confirmed one. */
export async function startTotp(
  { clock, db, factors }: FactorDeps,
  { email, user_id }: UserActor,
): Promise<{ readonly secret: string; readonly otpauth_url: string }> {
  const bytes = factors.random(TOTP_SECRET_BYTES)
  const sealed = factors.secrets.seal(user_id, bytes)
  const isStored = await storeTotp(db, { user_id, secret: sealed, now: clock.now().toISOString() })
  if (!isStored) throw conflict('This account has an authenticator app. Remove it first.')
  const secret = toBase32(bytes)
  return { secret, otpauth_url: otpauthUrl({ issuer: ISSUER, account: email, secret }) }
}

/**
 * Confirms the secret with a code, and returns recovery codes when the account has none. Refuses with
 * `conflict` without a secret to confirm, and with `invalid` for a wrong code.
 */
export async function confirmTotp(
  deps: FactorDeps,
  actor: UserActor,
  code: string,
): Promise<readonly string[]> {
  const { user_id } = actor
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    await lockAccount(tx, user_id)
    const stored = await findTotp(tx, user_id)
    if (!stored || stored.confirmed_at !== null) {
      throw conflict('There is no authenticator app to confirm. Create a secret first.')
    }
    const { secret } = stored
    const step = matchTotp(deps.factors.secrets.open(user_id, secret), code, {
      nowMs: Date.parse(now),
      lastStep: null,
    })
    if (step === null || !(await confirmTotpRow(tx, { user_id, secret, step, now }))) {
      throw invalid([
        { path: '/code', message: 'is wrong. Check the time of the device, and try the next code.' },
      ])
    }
    const codes = await completeEnrollment(tx, deps, user_id)
    return {
      result: codes,
      audit: factorAudit(user_id, { second_factor: 'totp', change: 'added' }),
      changesAccess: false,
    }
  })
}
