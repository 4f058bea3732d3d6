import type { Kysely } from 'kysely'
import type { Changefeed } from '../../changes/index.ts'
import type { SdkKeyActor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { withTimeout } from '../../platform/concurrency/with-timeout.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import { isDatabaseUnavailable } from '../../platform/db/database-unavailable.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import { findKeyActor, findKeyActorById } from './find-key-actor.ts'
import type { KeyUses } from './key-uses.ts'
import { type AccessVersion, createKnownKeys, isSameVersion, type KnownKey } from './known-keys.ts'
import { findLiveSdkKeys } from './queries.ts'

/**
 * The time for which a known key is confirmed. The poll runs every second, and one may be late
 * (docs/reference/access.md#sdk-keys).
 */
const CONFIRMATION_MS = 2000
/** The wait for a look-up of a known key while polls fail. After it the known result is used. */
const PATIENCE_MS = 500
const KNOWN_KEYS_MAX = 10_000
/** The number of consecutive look-ups during which rights changed, after which the result is used anyway. */
const LOOKUP_TRIES = 3
const MS_PER_SECOND = 1000

/** Finds the owners of SDK keys, from memory while the poll of the access revision confirms it. */
export interface KeyCredentials {
  /**
   * Returns the actor of a key, the same object each time; null for an unknown or revoked key. For
   * `read_flags` a known key works while the database is unavailable; otherwise it rejects with the
   * database's error. `hash` is that of the key, where the caller has it already.
   */
  find(key: string, purpose: 'read_flags' | 'anything', hash?: string): Promise<SdkKeyActor | null>
  /**
   * Returns the actor of a key by its id, for reading flags. Null for the id is the legacy key; the result is
   * null when the key was revoked.
   */
  findById(key_id: number | null): Promise<SdkKeyActor | null>
  /** Returns what `find` would return from memory; null when it would need a query. */
  findKnown(key: string): SdkKeyActor | null
  /** Forgets confirmations after a change of rights: everything known must be confirmed again. */
  clear(): void
  /** Queries those of the given key ids that are not revoked, which also confirms what is known. */
  validIds(ids: readonly number[]): Promise<Set<number>>
}

export interface KeyCredentialsDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
  readonly changefeed: Pick<Changefeed, 'confirmedAtMs' | 'accessRevision'>
  readonly legacySdkKey: string | null
  readonly uses: Pick<KeyUses, 'record'>
  /** The time for which a known key reads flags without the database. */
  readonly maxStaleAuthSeconds: number
}

interface Lookup {
  readonly version: AccessVersion
  readonly result: Promise<SdkKeyActor | null>
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createKeyCredentials(deps: KeyCredentialsDeps): KeyCredentials {
  const { changefeed, clock, db, log } = deps
  const known = createKnownKeys(KNOWN_KEYS_MAX)
  const lookups = new Map<string, Lookup>()
  let generation = 0
  let isStale = false

  const version = (): AccessVersion => ({ generation, access_revision: changefeed.accessRevision() })
  const isCurrent = (then: AccessVersion): boolean => isSameVersion(then, version())
  const isPollAlive = (): boolean => clock.monotonicMs() - changefeed.confirmedAtMs() < CONFIRMATION_MS

  /**
   * Returns whether a known key may be used. The poll confirms those with the current version; the legacy key
   * is a setting, which no change revokes.
   */
  function isTrusted({ actor, confirmedAtMs, version: then }: KnownKey): boolean {
    const byPoll = isCurrent(then) || actor.key_id === null ? changefeed.confirmedAtMs() : confirmedAtMs
    const ageMs = clock.monotonicMs() - Math.max(confirmedAtMs, byPoll)
    return ageMs < deps.maxStaleAuthSeconds * MS_PER_SECOND
  }

  async function lookUp(hash: string, key: string): Promise<SdkKeyActor | null> {
    for (let tries = 1; ; tries += 1) {
      const started = version()
      const confirmedAtMs = clock.monotonicMs()
      const actor = await findKeyActor(db, { hash, key, legacySdkKey: deps.legacySdkKey })
      isStale = false
      if (!actor) known.forget(hash)
      // Rights changed during the look-up: its result may be from before.
      if (!isCurrent(started) && tries < LOOKUP_TRIES) continue
      if (!actor || !isCurrent(started)) return actor
      return known.remember(hash, { actor, version: started, confirmedAtMs })
    }
  }

  /**
   * Shares one look-up among concurrent requests with one key, unless rights have changed since it started.
   */
  function lookUpOnce(hash: string, key: string): Promise<SdkKeyActor | null> {
    const running = lookups.get(hash)
    if (running && isCurrent(running.version)) return running.result
    const lookup: Lookup = { version: version(), result: lookUp(hash, key) }
    lookups.set(hash, lookup)
    const done = () => {
      if (lookups.get(hash) === lookup) lookups.delete(hash)
    }
    lookup.result.then(done, done)
    return lookup.result
  }

  function useStale({ actor }: KnownKey): SdkKeyActor {
    if (!isStale) log.warn('the database is unavailable: known SDK keys continue to read flags')
    isStale = true
    return actor
  }

  async function findTrusted(hash: string, key: string, entry: KnownKey): Promise<SdkKeyActor | null> {
    try {
      const result = lookUpOnce(hash, key)
      return isPollAlive() ? await result : await withTimeout(result, PATIENCE_MS, () => useStale(entry))
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      return useStale(entry)
    }
  }

  const isConfirmed = (entry: KnownKey): boolean => isPollAlive() && isCurrent(entry.version)

  async function find(
    key: string,
    purpose: 'read_flags' | 'anything',
    hash: string,
  ): Promise<SdkKeyActor | null> {
    const entry = known.get(hash)
    if (entry && isConfirmed(entry)) return entry.actor
    if (purpose === 'read_flags' && entry && isTrusted(entry)) return findTrusted(hash, key, entry)
    return lookUpOnce(hash, key)
  }

  async function findById(key_id: number | null): Promise<SdkKeyActor | null> {
    const entry = known.withId(key_id)
    if (entry && isConfirmed(entry)) return entry.actor
    try {
      return await findKeyActorById(db, { key_id, legacySdkKey: deps.legacySdkKey })
    } catch (error) {
      if (!entry || !isTrusted(entry) || !isDatabaseUnavailable(error)) throw error
      return useStale(entry)
    }
  }

  function recordUse(actor: SdkKeyActor | null): SdkKeyActor | null {
    if (actor) deps.uses.record(actor.key_id)
    return actor
  }

  return {
    findKnown(key) {
      const entry = known.get(hashSecret(key))
      return recordUse(entry && isConfirmed(entry) ? entry.actor : null)
    },
    findById: async (key_id) => recordUse(await findById(key_id)),
    find: async (key, purpose, hash = hashSecret(key)) => recordUse(await find(key, purpose, hash)),
    clear() {
      generation += 1
    },
    async validIds(ids) {
      const started = version()
      const confirmedAtMs = clock.monotonicMs()
      const entries = known.entries()
      const knownIds = entries.map(([, { actor }]) => actor.key_id).filter((id) => id !== null)
      const live = await findLiveSdkKeys(db, [...new Set([...ids, ...knownIds])])
      for (const [hash, entry] of entries) {
        const { actor } = entry
        if (actor.key_id === null) continue
        const mayManage = live.get(actor.key_id)
        if (mayManage === undefined) known.forget(hash)
        else if (isCurrent(started)) {
          known.remember(hash, { actor: { ...actor, mayManage }, version: started, confirmedAtMs })
        }
      }
      return new Set(ids.filter((id) => live.has(id)))
    },
  }
}
