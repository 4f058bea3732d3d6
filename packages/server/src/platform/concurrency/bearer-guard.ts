import { tooMany } from '../../kernel/refusal.ts'
import type { Clock } from '../clock.ts'
import { equalSecrets } from '../crypto/equal-secrets.ts'
import { hashSecret } from '../crypto/hash-secret.ts'
import { createAttemptWindow } from './attempt-window.ts'

/** Prevents unknown bearer tokens from costing a database query each. */
export interface BearerGuard {
  /**
   * Returns the result of `lookUp`, or null without a look-up when the token cannot be valid or was unknown a
   * moment ago. Refuses with `too_many` when the address has sent too many unknown tokens. A token that was
   * valid before is always looked up.
   */
  find<A>(bearer: string, address: () => string, lookUp: LookUp<A>): Promise<A | null>
}

/** Looks a token up. It is hashed once for the guard and for what is looked up. */
type LookUp<A> = (hash: string) => Promise<A | null>

interface GuardDeps {
  readonly clock: Clock
  /**
   * A counter that grows with each change of rights that this instance receives: tokens that were unknown may
   * be valid now.
   */
  readonly rights: { generation(): number }
}

interface GuardSettings {
  /** The number of unknown tokens that an address may have looked up in a minute. */
  readonly unknownPerMinute: number
  /** The setting SDK_KEY, which may have any form. */
  readonly legacySdkKey: string | null
}

const WINDOW_MS = 60_000
const UNKNOWN_FOR_MS = 30_000
const REMEMBERED_MAX = 10_000

/** The length of a token. Generated ones have at most 51 characters; SETUP_SDK_KEY may be longer. */
const BEARER_MAX_LENGTH = 512
const OURS = /^(?:sk_live_|pat_)[\w-]+$/

export function createBearerGuard({ clock, rights }: GuardDeps, settings: GuardSettings): BearerGuard {
  const { legacySdkKey, unknownPerMinute } = settings
  const failures = createAttemptWindow({ clock }, { limit: unknownPerMinute, windowMs: WINDOW_MS })
  const valid = createRecentMap<true>()
  const unknown = createRecentMap<{ readonly untilMs: number; readonly generation: number }>()
  /** Pending look-ups by hash. */
  const lookUps = new Map<string, Promise<unknown>>()

  const isOurs = (bearer: string): boolean =>
    (bearer.length <= BEARER_MAX_LENGTH && OURS.test(bearer)) ||
    (legacySdkKey !== null && equalSecrets(bearer, legacySdkKey))

  function isUnknown(hash: string): boolean {
    const entry = unknown.get(hash)
    return (
      entry !== undefined && entry.untilMs > clock.monotonicMs() && entry.generation === rights.generation()
    )
  }

  function remember(hash: string, isValid: boolean, generation: number): void {
    valid.delete(hash)
    unknown.delete(hash)
    if (isValid) valid.set(hash, true)
    else unknown.set(hash, { untilMs: clock.monotonicMs() + UNKNOWN_FOR_MS, generation })
  }

  async function findRemembering<A>(hash: string, lookUp: LookUp<A>): Promise<A | null> {
    const generation = rights.generation()
    const found = await lookUp(hash)
    const wasValid = valid.get(hash) === true
    if (found === null || !wasValid) remember(hash, found !== null, generation)
    return found
  }

  /** Counts before the look-up, so that a thousand concurrent requests are not all looked up. */
  async function findCounted<A>(from: string, find: () => Promise<A | null>): Promise<A | null> {
    const seconds = failures.retryAfterSeconds(from)
    if (seconds !== null) throw tooMany(TOO_MANY, seconds)
    const undo = failures.count(from)
    let isWrong = false
    try {
      const found = await find()
      isWrong = found === null
      return found
    } finally {
      if (!isWrong) undo()
    }
  }

  async function findOnce<A>(hash: string, find: () => Promise<A | null>): Promise<A | null> {
    const result = find()
    lookUps.set(hash, result)
    try {
      return await result
    } finally {
      lookUps.delete(hash)
    }
  }

  return {
    async find(bearer, address, lookUp) {
      if (!isOurs(bearer)) return null
      const hash = hashSecret(bearer)
      // Concurrent clients with one token share one look-up, its count and its error.
      while (lookUps.has(hash)) await lookUps.get(hash)
      if (isUnknown(hash)) return null
      const find = () => findRemembering(hash, lookUp)
      if (valid.get(hash)) return find()
      return findOnce(hash, () => findCounted(address(), find))
    },
  }
}

const TOO_MANY =
  'Too many unknown keys or tokens from this address. Check the credential, and try again later.'

/** Creates a map that keeps the most recently set entries. */
function createRecentMap<V>() {
  const entries = new Map<string, V>()
  return {
    get: (key: string): V | undefined => entries.get(key),
    delete: (key: string): boolean => entries.delete(key),
    set(key: string, value: V): void {
      entries.set(key, value)
      const [oldest] = entries.size > REMEMBERED_MAX ? entries.keys() : []
      if (oldest !== undefined) entries.delete(oldest)
    },
  }
}
