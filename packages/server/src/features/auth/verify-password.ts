import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { tooMany, unavailable } from '../../kernel/refusal.ts'
import type { AttemptWindow } from '../../platform/attempt-window.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PasswordHasher } from '../../platform/crypto/password.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { FairQueue } from '../../platform/fair-queue.ts'
import { accountKey, deviceKey, findUserByEmail, type UserWithPassword } from '../users/index.ts'
import type { KnownDevice } from './known-devices.ts'
import { attemptsRemaining, lockSecondsLeft } from './login-lock.ts'
import { claimLogin, clearFailures, readLock, recordFailure, releaseClaim } from './queries.ts'

/**
 * The age at which a claim expires. An attempt is checked in about 30 ms, so an older claim belongs to an
 * instance that crashed.
 */
const CLAIM_MS = 10_000
const CLAIM_RETRY_MS = 20
const CLAIM_TRIES = (2 * CLAIM_MS) / CLAIM_RETRY_MS

export interface PasswordCheckDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly newId: () => string
  readonly passwords: PasswordHasher
  /** Failed logins by address. */
  readonly failures: AttemptWindow
  /** Attempts wait here for their turn, before they cost a database connection or a hash. */
  readonly queue: FairQueue
}

interface PasswordAttempt {
  readonly email: string
  readonly password: string
  /** The client's address. */
  readonly address: string
  /** The accounts that the client's browser is known for. */
  readonly devices: readonly KnownDevice[]
}

/** The result of a right password: the account as it was read, and the end of the claim. */
export interface OpenedAccount {
  readonly user: UserWithPassword
  /**
   * Clears the count of failures. Call it first in the transaction that the attempt was for; it throws when
   * it was too late.
   */
  readonly settle: (tx: Transaction<Database>) => Promise<void>
}

type Verdict<T> =
  | { readonly kind: 'right'; readonly result: T }
  | { readonly kind: 'wrong'; readonly attempts_remaining: number }

/** The row that counts an attempt. */
interface Counter {
  readonly key: string
  /** The user of the known browser; null when the account itself counts. */
  readonly userId: number | null
}

interface Attempt extends Counter {
  readonly id: string
}

/**
 * Verifies a password of an account for any purpose, and runs `onSuccess` when it is right. One attempt for
 * an account is checked at a time, over all instances: it claims the account's row, is checked without
 * locking anything in the database, and ends the claim with its result. So five wrong passwords lock the
 * account however many arrive at once, and right ones are never refused as wrong. A browser that signed in to
 * the account before is counted and locked separately. Refuses with `too_many` (locked, or the address failed
 * too often).
 */
export async function verifyPassword<T>(
  deps: PasswordCheckDeps,
  login: PasswordAttempt,
  onSuccess: (account: OpenedAccount) => Promise<T>,
): Promise<Verdict<T>> {
  const from = countedNetwork(login.address)
  refuseAddress(deps, from)
  const [device] = login.devices
  const account = device ? deviceKey(device.deviceId) : accountKey(login.email)
  return deps.queue.run({ from, account }, async () => {
    refuseAddress(deps, from)
    const undo = deps.failures.count(from)
    let isWrong = false
    try {
      const verdict = await check(deps, login, onSuccess)
      isWrong = verdict.kind === 'wrong'
      return verdict
    } finally {
      // Only a wrong password counts against the address.
      if (!isWrong) undo()
    }
  })
}

function refuseAddress({ failures }: PasswordCheckDeps, from: string): void {
  const seconds = failures.retryAfterSeconds(from)
  if (seconds !== null) throw tooMany('Too many failed logins from this address. Try again later.', seconds)
}

async function check<T>(
  deps: PasswordCheckDeps,
  login: PasswordAttempt,
  onSuccess: (account: OpenedAccount) => Promise<T>,
): Promise<Verdict<T>> {
  const attempt = await claim(deps, await counterOf(deps, login))
  try {
    return await checkPassword(deps, login, { attempt, onSuccess })
  } catch (error) {
    // There is no result, so the next attempt need not wait until the claim expires; without a database it
    // must.
    await releaseClaim(deps.db, { email: attempt.key, id: attempt.id }).catch(() => undefined)
    throw error
  }
}

async function checkPassword<T>(
  deps: PasswordCheckDeps,
  { address, email, password }: PasswordAttempt,
  { attempt, onSuccess }: { attempt: Attempt; onSuccess: (account: OpenedAccount) => Promise<T> },
): Promise<Verdict<T>> {
  const found = await findUserByEmail(deps.db, email)
  // The database may fold letters that are counted separately (a dotted capital I), each of which would give
  // five more attempts.
  const user = found && accountKey(found.email) === accountKey(email) ? found : undefined
  // Without a user this takes as long and gives false.
  const isRight = await deps.passwords.verify(password, user?.password_hash ?? null, countedNetwork(address))
  const password_hash = user?.password_hash ?? null
  if (!isRight || !user || password_hash === null) return countFailure(deps, attempt)
  const settle = async (tx: Transaction<Database>) => {
    if (!(await clearFailures(tx, { email: attempt.key, id: attempt.id }))) throw lostClaim()
  }
  return { kind: 'right', result: await onSuccess({ user: { ...user, password_hash }, settle }) }
}

/**
 * Returns the account, or the known browser when it has signed in to the account since the last change of its
 * password.
 */
async function counterOf({ db }: PasswordCheckDeps, { devices, email }: PasswordAttempt): Promise<Counter> {
  const byAccount = { key: accountKey(email), userId: null }
  // Only browsers that have signed in to some account cost this query.
  if (devices.length === 0) return byAccount
  const user = await findUserByEmail(db, email)
  if (!user || accountKey(user.email) !== byAccount.key) return byAccount
  const device = devices.find(
    ({ passwordVersion, userId }) => userId === user.id && passwordVersion === user.password_version,
  )
  return device ? { key: deviceKey(device.deviceId), userId: user.id } : byAccount
}

async function claim({ clock, db, newId }: PasswordCheckDeps, counter: Counter): Promise<Attempt> {
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
  throw unavailable('Another login to this account is still being checked. Try again in a moment.')
}

async function countFailure<T>({ clock, db }: PasswordCheckDeps, { id, key }: Attempt): Promise<Verdict<T>> {
  const failures = await recordFailure(db, { email: key, id, now: clock.now() })
  if (failures === null) throw lostClaim()
  return { kind: 'wrong', attempts_remaining: attemptsRemaining(failures) }
}

/** Without the claim no result is returned, because it was not counted either. */
const lostClaim = () => unavailable('The login took too long. Try again in a moment.')
