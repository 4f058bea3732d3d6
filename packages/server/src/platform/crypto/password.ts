import { availableParallelism } from 'node:os'
import { PASSWORD_MAX_BYTES } from '@burgee/contract'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { createFairQueue } from '../concurrency/fair-queue.ts'

/**
 * The number of concurrent hashes. Each takes 19 MiB and a core for about 20 ms. One core remains for other
 * work.
 */
const CONCURRENT_HASHES = Math.max(1, Math.min(2, availableParallelism() - 1))
/** The number of waiting hashes. Logins wait in a separate queue, so these are from signed-in users. */
const WAITING_HASHES_MAX = 200

/** The cost of a hash: the memory in KiB, and the number of passes over it. */
interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
}

const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 }
/** The library's enum exists only as a type; 2 is Argon2id. */
const ARGON2ID = 2 as Algorithm.Argon2id
/** The salt and the hash of an unknown random password. */
const NOBODYS_HASH = 'c29tZS1maXhlZC1zYWx0IQ$5dbs9ZxBIRHXbbZ5sq+NVGxGXmbSRvXFpD8Q2i0hHUo'

/**
 * Hashes and verifies passwords. Each call has the address of the caller (`countedNetwork`), and addresses
 * take turns. Refuses with `unavailable` when too many wait.
 */
export interface PasswordHasher {
  /** Returns the PHC string to store. Throws `RangeError` for more than `PASSWORD_MAX_BYTES` bytes. */
  hash(password: string, from: string): Promise<string>
  /**
   * Returns whether the password is right. A null `stored` (no such account) takes as long and gives false.
   */
  verify(password: string, stored: string | null, from: string): Promise<boolean>
  /** Returns whether the hash has outdated parameters, so that the next login replaces it. */
  isOutdated(stored: string): boolean
}

/** Creates a hasher: argon2id with 19 MiB, two passes and one lane, unless the caller has another `cost`. */
export function createPasswordHasher(cost = PASSWORD_COST): PasswordHasher {
  const options = { ...cost, algorithm: ARGON2ID, parallelism: 1 }
  /** The prefix of hashes with the current parameters. */
  const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`
  const queue = createFairQueue({
    concurrency: CONCURRENT_HASHES,
    waitingMax: WAITING_HASHES_MAX,
    message: 'Too many passwords are being checked. Try again in a moment.',
  })
  return {
    hash: async (password, from) => {
      if (isTooLong(password)) throw new RangeError('the password is too long')
      return queue.run({ from }, () => hash(password, options))
    },
    verify: async (password, stored, from) => {
      const tooLong = isTooLong(password)
      // Verifying against an unknown password costs as much as against a real one.
      const phc = stored ?? prefix + NOBODYS_HASH
      const fits = await queue.run({ from }, () => verify(phc, tooLong ? '' : password))
      return fits && stored !== null && !tooLong
    },
    isOutdated: (stored) => !stored.startsWith(prefix),
  }
}

function isTooLong(password: string): boolean {
  return Buffer.byteLength(password, 'utf8') > PASSWORD_MAX_BYTES
}
