import type { Kysely } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import { type AttemptWindow, createAttemptWindow } from '../../platform/concurrency/attempt-window.ts'
import { equalSecrets } from '../../platform/crypto/equal-secrets.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import type { Database } from '../../platform/db/tables.ts'
import { ScimRefused } from './scim-refused.ts'
import { findTokenHash, storeRequestTime } from './settings-queries.ts'

/** Refuses a request whose bearer is not the token. While there is no token, the interface does not exist. */
export type AdmitScim = (bearer: string | undefined, network: string) => Promise<void>

interface AdmitDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  /** A counter that grows with each change of rights that this instance receives. */
  readonly rights: { generation(): number }
}

/** The time for which the stored hash is not read again. A change of rights ends it at once. */
const KNOWN_FOR_MS = 1_000
/** The wrong tokens from a network in a minute. */
const WRONG_PER_MINUTE = 60
const MINUTE_MS = 60_000
const TOKEN = /^scim_[\w-]{43}$/

export function createAdmitScim({ clock, db, rights }: AdmitDeps): AdmitScim {
  const wrong: AttemptWindow = createAttemptWindow(
    { clock },
    { limit: WRONG_PER_MINUTE, windowMs: MINUTE_MS },
  )
  let known: { hash: Promise<string | null>; atMs: number; generation: number } | null = null

  /** One query in a second, however many requests arrive. */
  async function currentHash(): Promise<string | null> {
    const now = { atMs: clock.monotonicMs(), generation: rights.generation() }
    const isFresh = known && now.atMs - known.atMs < KNOWN_FOR_MS && now.generation === known.generation
    if (!known || !isFresh) known = { ...now, hash: findTokenHash(db) }
    const { hash } = known
    try {
      return await hash
    } catch (error) {
      if (known.hash === hash) known = null
      throw error
    }
  }

  return async (bearer, network) => {
    const hash = await currentHash()
    if (hash === null)
      throw new ScimRefused(404, null, 'SCIM is off. A workspace admin creates its token in the dashboard.')
    const seconds = wrong.retryAfterSeconds(network)
    const isToken = bearer !== undefined && TOKEN.test(bearer) && equalSecrets(hashSecret(bearer), hash)
    if (!isToken) {
      if (seconds !== null)
        throw new ScimRefused(429, null, `Too many wrong tokens. Try again in ${seconds} s.`)
      wrong.count(network)
      throw new ScimRefused(
        401,
        null,
        'Send the token of SCIM as a bearer. Other credentials are not accepted here.',
      )
    }
    const now = clock.now()
    const staleBefore = new Date(now.getTime() - MINUTE_MS).toISOString()
    await storeRequestTime(db, { now: now.toISOString(), staleBefore })
  }
}
