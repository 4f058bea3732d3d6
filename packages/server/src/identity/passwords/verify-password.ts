import { countedNetwork } from '../../platform/client-address.ts'
import type { FairQueue } from '../../platform/concurrency/fair-queue.ts'
import type { PasswordHasher } from '../../platform/crypto/password.ts'
import { findUserByEmail, type UserWithPassword } from '../../structure/users/index.ts'
import { accountKey, deviceKey } from './account-key.ts'
import {
  type AttemptDeps,
  type Counter,
  countAddress,
  countAttempt,
  refuseAddress,
  type Settle,
  type Verdict,
} from './count-attempt.ts'
import type { KnownDevice } from './known-devices.ts'

export interface PasswordCheckDeps extends AttemptDeps {
  readonly passwords: PasswordHasher
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
  readonly settle: Settle
}

/**
 * Verifies a password of an account for any purpose, and runs `onSuccess` when it is right. A browser that
 * signed in to the account before is counted and locked separately. Refuses with `too_many` (locked, or the
 * address failed too often).
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
  return deps.queue.run({ from, account }, () =>
    countAddress(deps, from, async () =>
      countAttempt(deps, await counterOf(deps, login), (settle) =>
        checkPassword(deps, login, { settle, onSuccess }),
      ),
    ),
  )
}

async function checkPassword<T>(
  deps: PasswordCheckDeps,
  { address, email, password }: PasswordAttempt,
  { onSuccess, settle }: { settle: Settle; onSuccess: (account: OpenedAccount) => Promise<T> },
): Promise<{ readonly result: T } | null> {
  const found = await findUserByEmail(deps.db, email)
  // The database may fold letters that are counted separately (a dotted capital I), each of which would give
  // five more attempts.
  const user = found && accountKey(found.email) === accountKey(email) ? found : undefined
  const password_hash = user?.password_hash ?? null
  // Without a user this takes as long and gives false.
  const isRight = await deps.passwords.verify(password, password_hash, countedNetwork(address))
  if (!isRight || !user || password_hash === null) return null
  return { result: await onSuccess({ user: { ...user, password_hash }, settle }) }
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
