import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { tooMany, unavailable } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AttemptWindow } from '../../platform/concurrency/attempt-window.ts'
import type { Database } from '../../platform/db/tables.ts'
import { claimLogin, clearFailures, readLock, recordFailure, releaseClaim } from './attempt-queries.ts'
import { attemptsRemaining, lockSecondsLeft } from './login-lock.ts'

/**
 * The age at which a claim expires. An attempt is checked in about 30 ms, so an older claim belongs to an
 * instance that crashed.
 */
const CLAIM_MS = 10_000
const CLAIM_RETRY_MS = 20
const CLAIM_TRIES = (2 * CLAIM_MS) / CLAIM_RETRY_MS

export interface AttemptDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly newId: () => string
  /** Failed logins by address. */
  readonly failures: AttemptWindow
}

export type Verdict<T> =
  | { readonly kind: 'right'; readonly result: T }
  | { readonly kind: 'wrong'; readonly attempts_remaining: number }

/** The row that counts an attempt. */
export interface Counter {
  readonly key: string
  /** The user of the known browser or of the second factor; null when the account itself counts. */
  readonly userId: number | null
}

/**
 * Clears the count of failures. Call it in the transaction that the attempt was for; it throws when it was
 * too late.
 */
export type Settle = (tx: Transaction<Database>) => Promise<void>

/** Checks an attempt; null means that the proof was wrong. */
type Check<T> = (settle: Settle) => Promise<{ readonly result: T } | null>

/**
 * Runs one attempt at a time for a counter, over all instances: it claims the counter's row, is checked
 * without locking anything in the database, and ends the claim with its result. So five wrong proofs lock the
 * counter however many arrive at once, and right ones are never refused as wrong.
 */
export async function countAttempt<T>(
  deps: AttemptDeps,
  counter: Counter,
  check: Check<T>,
): Promise<Verdict<T>> {
  const attempt = await claim(deps, counter)
  const row = { email: attempt.key, id: attempt.id }
  try {
    const checked = await check(async (tx) => {
      if (!(await clearFailures(tx, row))) throw lostClaim()
    })
    return checked ? { kind: 'right', ...checked } : await countFailure(deps, attempt)
  } catch (error) {
    // There is no result, so the next attempt need not wait until the claim expires; without a database it
    // must.
    await releaseClaim(deps.db, row).catch(() => undefined)
    throw error
  }
}

/** Counts a wrong proof against its address, and refuses an address that has failed too often. */
export async function countAddress<V extends { readonly kind: 'right' | 'wrong' }>(
  { failures }: Pick<AttemptDeps, 'failures'>,
  from: string,
  attempt: () => Promise<V>,
): Promise<V> {
  refuseAddress({ failures }, from)
  const undo = failures.count(from)
  let isWrong = false
  try {
    const verdict = await attempt()
    isWrong = verdict.kind === 'wrong'
    return verdict
  } finally {
    // Only a wrong proof counts against the address.
    if (!isWrong) undo()
  }
}

export function refuseAddress({ failures }: Pick<AttemptDeps, 'failures'>, from: string): void {
  const seconds = failures.retryAfterSeconds(from)
  if (seconds !== null)
    throw tooMany('Too many failed attempts to sign in from this address. Try again later.', seconds)
}

interface Attempt extends Counter {
  readonly id: string
}

async function claim({ clock, db, newId }: AttemptDeps, counter: Counter): Promise<Attempt> {
  const { key, userId } = counter
  for (let tries = 0; tries < CLAIM_TRIES; tries += 1) {
    const now = clock.now()
    const locked_until = await readLock(db, key, now.toISOString())
    if (locked_until !== null) {
      throw tooMany('Too many failed attempts. This account is locked.', lockSecondsLeft(locked_until, now))
    }
    const id = newId()
    const until = new Date(now.getTime() + CLAIM_MS).toISOString()
    const isClaimed = await claimLogin(db, { email: key, userId, id, now: now.toISOString(), until })
    if (isClaimed) return { ...counter, id }
    await wait(CLAIM_RETRY_MS)
  }
  throw unavailable(
    'Another attempt to sign in to this account is still being checked. Try again in a moment.',
  )
}

async function countFailure<T>({ clock, db }: AttemptDeps, { id, key }: Attempt): Promise<Verdict<T>> {
  const failures = await recordFailure(db, { email: key, id, now: clock.now() })
  if (failures === null) throw lostClaim()
  return { kind: 'wrong', attempts_remaining: attemptsRemaining(failures) }
}

/** Without the claim no result is returned, because it was not counted either. */
const lostClaim = () => unavailable('Signing in took too long. Try again in a moment.')
