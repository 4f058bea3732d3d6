import { PASSKEYS_MAX, type Passkey, type PasskeyCreationOptions, type PasskeyInput } from '@burgee/contract'
import { writeWorkspace } from '../../../changes/index.ts'
import type { UserActor } from '../../../kernel/actor.ts'
import { conflict, invalid } from '../../../kernel/refusal.ts'
import { completeEnrollment, type FactorDeps, ISSUER } from '../enroll.ts'
import { factorAudit } from '../factor-audit.ts'
import { countFactors, lockAccount } from '../queries.ts'
import { creationOptions, knownTransports } from './passkey.ts'
import { insertPasskey, listCredentials, useChallenge } from './queries.ts'

/** Returns the options of a new passkey. Refuses with `conflict` where there can be none. */
export async function startPasskey(
  { db, factors }: FactorDeps,
  user: UserActor,
  host: string | undefined,
): Promise<PasskeyCreationOptions> {
  const { user_id } = user
  const { passkeys } = factors
  const ceremony = passkeys.begin(host, { purpose: 'add', user_id })
  const credentials = await listCredentials(db, user_id)
  if (credentials.length >= PASSKEYS_MAX) throw tooManyPasskeys()
  const owner = { handle: passkeys.handleOf(user_id), issuer: ISSUER, user }
  return creationOptions({ ...ceremony, credentials }, owner)
}

interface AddedPasskey {
  readonly passkey: Passkey
  /** Empty where the account has some from an earlier factor. */
  readonly recovery_codes: readonly string[]
}

/**
 * Adds a passkey to the actor's account. Refuses with `invalid` for a response that does not fit the options,
 * and with `conflict` for a credential that is registered already, or one too many.
 */
export async function addPasskey(
  deps: FactorDeps,
  actor: UserActor,
  { credential, host, name }: PasskeyInput & { readonly host: string | undefined },
): Promise<AddedPasskey> {
  const { user_id } = actor
  const checked = await deps.factors.passkeys.checkNew(credential, { user_id, host })
  if (!checked) throw misfit()
  const { challenge, ...verified } = checked
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    await lockAccount(tx, user_id)
    if (!(await useChallenge(tx, challenge))) throw misfit()
    const { passkeys } = await countFactors(tx, user_id)
    if (passkeys >= PASSKEYS_MAX) throw tooManyPasskeys()
    const transports = knownTransports(credential.response.transports)
    const passkey = await insertPasskey(tx, { ...verified, user_id, name, transports, created_at: now })
    if (!passkey) throw conflict('This passkey is registered already. Use another authenticator.')
    return {
      result: { passkey, recovery_codes: await completeEnrollment(tx, deps, user_id) },
      audit: factorAudit(user_id, { second_factor: 'passkey', change: 'added', name }),
      changesAccess: false,
    }
  })
}

const tooManyPasskeys = () =>
  conflict(`An account has at most ${PASSKEYS_MAX} passkeys. Remove one that you do not use.`)

const misfit = () =>
  invalid([
    {
      path: '/credential',
      message: 'is not the response to recent options of this account. Begin again, on the same page.',
    },
  ])
