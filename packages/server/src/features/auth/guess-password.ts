import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { tooMany, unavailable } from '../../kernel/refusal.ts'
import type { AttemptWindow } from '../../platform/attempt-window.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PasswordHasher } from '../../platform/crypto/password.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { KeyedQueue } from '../../platform/keyed-queue.ts'
import { findUserByEmail, type User } from '../users/index.ts'
import { accountKey, attemptsRemaining, lockSecondsLeft } from './login-lock.ts'
import { claimLogin, clearFailures, readLock, recordFailure, releaseClaim } from './queries.ts'

/** A guess is checked in some 30 ms; a claim this old belongs to an instance that died over it. */
const CLAIM_MS = 10_000
const CLAIM_RETRY_MS = 20
const CLAIM_TRIES = (2 * CLAIM_MS) / CLAIM_RETRY_MS

export interface GuessDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly newId: () => string
  readonly passwords: PasswordHasher
  /** Failed logins by address (contract, section 12). */
  readonly failures: AttemptWindow
  /** Guesses at one account wait their turn here, without a database connection each. */
  readonly turns: KeyedQueue
}

interface Guess {
  readonly email: string
  readonly password: string
  /** Where it comes from. */
  readonly address: string
}

/** What a right guess opens: the account as it was read, and the end of the claim. */
export interface OpenedAccount {
  readonly user: User & { readonly password_hash: string }
  /** Clears the count of failures. Call it first in the transaction of what the guess was for; throws when it came too late. */
  readonly settle: (tx: Transaction<Database>) => Promise<void>
}

type Verdict<T> =
  | { readonly kind: 'right'; readonly result: T }
  | { readonly kind: 'wrong'; readonly attempts_remaining: number }

interface Attempt {
  readonly account: string
  readonly id: string
}

/**
 * Checks a guess at an account's password, whatever it is for; a right one runs `whenRight`. One guess at an account is
 * checked at a time, over all instances: it claims the account's row, is checked without holding anything in the
 * database, and ends the claim with its verdict. So five wrong guesses lock the account however many arrive at once, and
 * right ones are never taken for wrong. Refuses with `too_many` (locked, or the address failed too often).
 */
export async function guessPassword<T>(
  deps: GuessDeps,
  guess: Guess,
  whenRight: (account: OpenedAccount) => Promise<T>,
): Promise<Verdict<T>> {
  refuseAddress(deps, guess)
  return deps.turns.run(accountKey(guess.email), async () => {
    refuseAddress(deps, guess)
    const forgive = deps.failures.count(guess.address)
    let is_wrong = false
    try {
      const verdict = await check(deps, guess, whenRight)
      is_wrong = verdict.kind === 'wrong'
      return verdict
    } finally {
      // Only a guess that was checked and wrong counts against the address.
      if (!is_wrong) forgive()
    }
  })
}

function refuseAddress({ failures }: GuessDeps, { address }: Guess): void {
  const seconds = failures.retryAfterSeconds(address)
  if (seconds !== null) throw tooMany('Too many failed logins from this address. Try again later.', seconds)
}

async function check<T>(
  deps: GuessDeps,
  guess: Guess,
  whenRight: (account: OpenedAccount) => Promise<T>,
): Promise<Verdict<T>> {
  const attempt = await claim(deps, accountKey(guess.email))
  try {
    return await judge(deps, guess, { attempt, whenRight })
  } catch (error) {
    // Nothing was decided, so the next guess need not wait until the claim runs out; without a database it has to.
    await releaseClaim(deps.db, { email: attempt.account, id: attempt.id }).catch(() => undefined)
    throw error
  }
}

async function judge<T>(
  deps: GuessDeps,
  { email, password }: Guess,
  { attempt, whenRight }: { attempt: Attempt; whenRight: (account: OpenedAccount) => Promise<T> },
): Promise<Verdict<T>> {
  const found = await findUserByEmail(deps.db, email)
  // The database may fold letters that are counted apart (a dotted capital I): each would be five guesses more.
  const user = found && accountKey(found.email) === attempt.account ? found : undefined
  // Without a user this takes as long and is false.
  const is_right = await deps.passwords.verify(password, user?.password_hash ?? null)
  if (!is_right || !user) return countFailure(deps, attempt)
  const settle = async (tx: Transaction<Database>) => {
    if (!(await clearFailures(tx, { email: attempt.account, id: attempt.id }))) throw lostClaim()
  }
  return { kind: 'right', result: await whenRight({ user, settle }) }
}

async function claim({ clock, db, newId }: GuessDeps, account: string): Promise<Attempt> {
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

async function countFailure<T>({ clock, db }: GuessDeps, { account, id }: Attempt): Promise<Verdict<T>> {
  const failures = await recordFailure(db, { email: account, id, now: clock.now() })
  if (failures === null) throw lostClaim()
  return { kind: 'wrong', attempts_remaining: attemptsRemaining(failures) }
}

/** No verdict is told once the claim is lost, because it was not counted either. */
const lostClaim = () => unavailable('The login took too long. Try again in a moment.')
