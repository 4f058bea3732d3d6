import { PASSWORD_MAX_BYTES } from '@burgee/contract'
import { type Algorithm, hash, verify } from '@node-rs/argon2'

/** Hashing at once: each run takes 19 MiB and a core for some 20 ms, so more would starve everything else. */
const CONCURRENT_HASHES = 2

/** argon2id with 19 MiB, two passes, one lane. The library's enum exists only for the type checker: 2 is Argon2id. */
const ARGON2ID = 2 as Algorithm.Argon2id
const ARGON2_OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of a random password that nobody knows: checking against it costs what checking a real one costs. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c29tZS1maXhlZC1zYWx0IQ$5dbs9ZxBIRHXbbZ5sq+NVGxGXmbSRvXFpD8Q2i0hHUo'

export interface PasswordHasher {
  /** The PHC string to store. Throws `RangeError` for more than `PASSWORD_MAX_BYTES` bytes. */
  hash(password: string): Promise<string>
  /** Whether the password fits. `stored` null (no such account) takes as long and is always false. */
  verify(password: string, stored: string | null): Promise<boolean>
}

export function createPasswordHasher(): PasswordHasher {
  const inTurn = createTurns(CONCURRENT_HASHES)
  return {
    hash: async (password) => {
      if (isTooLong(password)) throw new RangeError('the password is too long')
      return inTurn(() => hash(password, ARGON2_OPTIONS))
    },
    verify: async (password, stored) => {
      const tooLong = isTooLong(password)
      const fits = await inTurn(() => verify(stored ?? NOBODYS_HASH, tooLong ? '' : password))
      return fits && stored !== null && !tooLong
    },
  }
}

function isTooLong(password: string): boolean {
  return Buffer.byteLength(password, 'utf8') > PASSWORD_MAX_BYTES
}

/** Runs at most `limit` pieces of work at once, the others in the order they came. */
function createTurns(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The place is handed to the next in line, so `running` changes only when nobody waits.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
