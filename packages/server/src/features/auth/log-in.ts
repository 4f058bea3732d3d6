import { setTimeout as wait } from 'node:timers/promises'
import type { Credentials, CurrentUser } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { Refusal, tooMany, unauthenticated, unavailable } from '../../kernel/refusal.ts'
import type { AttemptWindow } from '../../platform/attempt-window.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PasswordHasher } from '../../platform/crypto/password.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { KeyedQueue } from '../../platform/keyed-queue.ts'
import { findUserByEmail, holdUser, type User } from '../users/index.ts'
import { toCurrentUser } from './current-user.ts'
import { accountKey, attemptsRemaining, lockSecondsLeft } from './login-lock.ts'
import { claimLogin, clearFailures, readLock, readWorkspace, recordFailure } from './queries.ts'
import type { Sessions } from './sessions.ts'

/** A guess is checked in some 30 ms; a claim this old belongs to an instance that died over it. */
const CLAIM_MS = 10_000
const CLAIM_RETRY_MS = 20
const CLAIM_TRIES = (2 * CLAIM_MS) / CLAIM_RETRY_MS

export interface LogInDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly newId: () => string
  readonly passwords: PasswordHasher
  readonly sessions: Sessions
  /** Failed logins by address (contract, section 12). */
  readonly failures: AttemptWindow
  /** Guesses at one account wait their turn here, without a database connection each. */
  readonly turns: KeyedQueue
}

interface SignedIn {
  readonly user: CurrentUser
  /** The value of a Set-Cookie header. */
  readonly cookie: string
}

interface Attempt {
  readonly account: string
  readonly id: string
}

/**
 * Signs a user in. One guess at an account is checked at a time, over all instances: it claims the account's row, is
 * checked without holding anything in the database, and ends the claim with its verdict. So five wrong guesses lock the
 * account however many arrive at once, and right ones are never taken for wrong.
 *
 * Refuses with `unauthenticated` (wrong guess, with what remains) or `too_many` (locked, or the address failed too often).
 */
export async function logIn(
  deps: LogInDeps,
  { address, email, password }: Credentials & { readonly address: string },
): Promise<SignedIn> {
  refuseAddress(deps, address)
  return deps.turns.run(accountKey(email), async () => {
    refuseAddress(deps, address)
    const forgive = deps.failures.count(address)
    try {
      const signed_in = await check(deps, { email, password })
      forgive()
      return signed_in
    } catch (error) {
      // Only a guess that was checked and wrong counts against the address.
      if (!(error instanceof Refusal && error.kind === 'unauthenticated')) forgive()
      throw error
    }
  })
}

function refuseAddress({ failures }: LogInDeps, address: string): void {
  const seconds = failures.retryAfterSeconds(address)
  if (seconds !== null) throw tooMany('Too many failed logins from this address. Try again later.', seconds)
}

async function check(deps: LogInDeps, { email, password }: Credentials): Promise<SignedIn> {
  const attempt = await claim(deps, accountKey(email))
  const found = await findUserByEmail(deps.db, email)
  // The database may fold letters that are counted apart (a dotted capital I): each would be five guesses more.
  const user = found && accountKey(found.email) === attempt.account ? found : undefined
  // Without a user this takes as long and is false.
  const right = await deps.passwords.verify(password, user?.password_hash ?? null)
  return right && user ? startSession(deps, attempt, user) : refuseGuess(deps, attempt)
}

async function claim({ clock, db, newId }: LogInDeps, account: string): Promise<Attempt> {
  for (let tries = 0; tries < CLAIM_TRIES; tries += 1) {
    const now = clock.now()
    const locked_until = await readLock(db, account, now.toISOString())
    if (locked_until !== null) {
      throw tooMany('Too many failed attempts. This account is locked.', lockSecondsLeft(locked_until, now))
    }
    const id = newId()
    const until = new Date(now.getTime() + CLAIM_MS).toISOString()
    if (await claimLogin(db, { email: account, id, now: now.toISOString(), until })) return { account, id }
    await wait(CLAIM_RETRY_MS)
  }
  throw unavailable('Another login to this account is still being checked. Try again in a moment.')
}

async function refuseGuess({ clock, db }: LogInDeps, { account, id }: Attempt): Promise<never> {
  const failures = await recordFailure(db, { email: account, id, now: clock.now() })
  if (failures === null) throw lostClaim()
  const attempts_remaining = attemptsRemaining(failures)
  throw unauthenticated('The e-mail or the password is wrong.', { attempts_remaining })
}

/** No verdict is told once the claim is lost, because it was not counted either. */
const lostClaim = () => unavailable('The login took too long. Try again in a moment.')

async function startSession(
  { db, sessions }: LogInDeps,
  { account, id }: Attempt,
  user: User & { readonly password_hash: string },
): Promise<SignedIn> {
  return db.transaction().execute(async (tx) => {
    if (!(await clearFailures(tx, { email: account, id }))) throw lostClaim()
    if (!(await holdUser(tx, user))) throw unavailable('The account has just changed. Sign in again.')
    const { cookie } = await sessions.start(tx, user.id)
    return { cookie, user: toCurrentUser(user, await readWorkspace(tx)) }
  })
}
