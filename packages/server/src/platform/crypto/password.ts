import { availableParallelism } from 'node:os'
import { PASSWORD_MAX_BYTES } from '@burgee/contract'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { createFairQueue } from '../fair-queue.ts'

/** Hashing at once: each run takes 19 MiB and a core for some 20 ms. One core stays for everything else. */
const CONCURRENT_HASHES = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Beyond guesses at logins, which wait in a queue of their own, only signed-in people hash passwords. */
const WAITING_HASHES_MAX = 200

/** argon2id with 19 MiB, two passes, one lane. The library's enum exists only for the type checker: 2 is Argon2id. */
const ARGON2ID = 2 as Algorithm.Argon2id
const ARGON2_OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of a random password that nobody knows: checking against it costs what checking a real one costs. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c29tZS1maXhlZC1zYWx0IQ$5dbs9ZxBIRHXbbZ5sq+NVGxGXmbSRvXFpD8Q2i0hHUo'

/** How every hash made with the current parameters begins. */
const CURRENT_PARAMETERS = '$argon2id$v=19$m=19456,t=2,p=1$'

/** Each call names the address that asks (`countedNetwork`): addresses take turns. Refuses with `unavailable` when too many wait. */
export interface PasswordHasher {
  /** The PHC string to store. Throws `RangeError` for more than `PASSWORD_MAX_BYTES` bytes. */
  hash(password: string, from: string): Promise<string>
  /** Whether the password fits. `stored` null (no such account) takes as long and is always false. */
  verify(password: string, stored: string | null, from: string): Promise<boolean>
  /** Whether the hash was made with other parameters than today's, so that it is replaced at the next login. */
  isOutdated(stored: string): boolean
}

export function createPasswordHasher(): PasswordHasher {
  const queue = createFairQueue({
    concurrency: CONCURRENT_HASHES,
    waitingMax: WAITING_HASHES_MAX,
    message: 'Too many passwords are being checked. Try again in a moment.',
  })
  return {
    hash: async (password, from) => {
      if (isTooLong(password)) throw new RangeError('the password is too long')
      return queue.run({ from }, () => hash(password, ARGON2_OPTIONS))
    },
    verify: async (password, stored, from) => {
      const tooLong = isTooLong(password)
      const fits = await queue.run({ from }, () => verify(stored ?? NOBODYS_HASH, tooLong ? '' : password))
      return fits && stored !== null && !tooLong
    },
    isOutdated: (stored) => !stored.startsWith(CURRENT_PARAMETERS),
  }
}

function isTooLong(password: string): boolean {
  return Buffer.byteLength(password, 'utf8') > PASSWORD_MAX_BYTES
}
