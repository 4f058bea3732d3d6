import type { Kysely } from 'kysely'
import { tooMany, unauthenticated } from '../../kernel/refusal.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { Clock } from '../../platform/clock.ts'
import { createAttemptWindow } from '../../platform/concurrency/attempt-window.ts'
import { equalSecrets } from '../../platform/crypto/equal-secrets.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import type { Database } from '../../platform/db/tables.ts'
import { readSetup } from './queries.ts'

/** The number of wrong tokens from an address in a minute. */
const WRONG_TOKENS_PER_ADDRESS = 10
const ADDRESS_WINDOW_MS = 60_000

/** Refuses unless the bearer token is the setup token and setup is not complete. */
type AdmitSetup = (bearer: string | undefined, address: string) => Promise<void>

/**
 * Protects the wizard: refuses with `unauthenticated` without the token, and with `too_many` after ten wrong
 * ones in a minute from one address.
 */
export function createAdmitSetup(deps: { readonly db: Kysely<Database>; readonly clock: Clock }): AdmitSetup {
  const wrong = createAttemptWindow(deps, { limit: WRONG_TOKENS_PER_ADDRESS, windowMs: ADDRESS_WINDOW_MS })
  // Setup stays complete, so it is not read again.
  let isComplete = false

  return async (bearer, address) => {
    if (isComplete) return
    const from = countedNetwork(address)
    // Checked before and after the query, because many requests may be concurrent.
    if (bearer !== undefined) refuseAddress(from)
    const { setup_completed_at, setup_token_hash } = await readSetup(deps.db)
    isComplete = setup_completed_at !== null
    if (isComplete) return
    if (bearer === undefined) throw wrongToken()
    refuseAddress(from)
    if (setup_token_hash !== null && equalSecrets(hashSecret(bearer), setup_token_hash)) return
    wrong.count(from)
    throw wrongToken()
  }

  function refuseAddress(from: string): void {
    const seconds = wrong.retryAfterSeconds(from)
    if (seconds === null) return
    throw tooMany('Too many wrong setup tokens from this address. Try again later.', seconds)
  }
}

const wrongToken = () =>
  unauthenticated("Send the setup token: SETUP_TOKEN, or the one in the URL that the server's log shows.")
