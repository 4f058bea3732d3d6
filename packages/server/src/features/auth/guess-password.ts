import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { tooMany, unavailable } from '../../kernel/refusal.ts'
import { type AttemptWindow, createAttemptWindow } from '../../platform/attempt-window.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PasswordHasher } from '../../platform/crypto/password.ts'
import type { Database } from '../../platform/db/tables.ts'
import { createFairQueue, type FairQueue } from '../../platform/fair-queue.ts'
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
  /** Failed logins by address. */
  readonly failures: AttemptWindow
  /** Guesses wait here for their turn, before they cost a database connection or a hash. */
  readonly turns: FairQueue
}

/** Failed logins that an address may have in a minute. */
const FAILED_LOGINS_PER_ADDRESS = 300
const ADDRESS_WINDOW_MS = 60_000

/** More than are hashed at once, so that the database works on one guess while another is hashed. */
const CONCURRENT_GUESSES = 4
/** At some 15 ms each the last one waits for less than a quarter of a minute. */
const WAITING_GUESSES_MAX = 1_000

/** What limits the guesses that reach this instance, whatever they are for. */
export function createGuessLimits(deps: { readonly clock: Clock }): Pick<GuessDeps, 'failures' | 'turns'> {
  return {
    failures: createAttemptWindow(deps, { limit: FAILED_LOGINS_PER_ADDRESS, window_ms: ADDRESS_WINDOW_MS }),
    turns: createFairQueue({
      concurrency: CONCURRENT_GUESSES,
      waitingMax: WAITING_GUESSES_MAX,
      message: 'Too many logins are being checked. Try again in a moment.',
    }),
  }
}

interface Guess {
  readonly email: string
  readonly password: string
  /** The client's address. */
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
  const from = countedNetwork(guess.address)
  refuseAddress(deps, from)
  return deps.turns.run({ from, account: accountKey(guess.email) }, async () => {
    refuseAddress(deps, from)
    const forgive = deps.failures.count(from)
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

function refuseAddress({ failures }: GuessDeps, from: string): void {
  const seconds = failures.retryAfterSeconds(from)
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
  { address, email, password }: Guess,
  { attempt, whenRight }: { attempt: Attempt; whenRight: (account: OpenedAccount) => Promise<T> },
): Promise<Verdict<T>> {
  const found = await findUserByEmail(deps.db, email)
  // The database may fold letters that are counted apart (a dotted capital I): each would be five guesses more.
  const user = found && accountKey(found.email) === attempt.account ? found : undefined
  // Without a user this takes as long and is false.
  const is_right = await deps.passwords.verify(password, user?.password_hash ?? null, countedNetwork(address))
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
