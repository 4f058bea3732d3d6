import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import { createDaySample, type DaySample } from './day-sample.ts'
import { findSeenUsersMode, listNamedAttributes, storeSeenUsers } from './queries.ts'
import { keepAttributes, type Sighting } from './seen-user.ts'

/** The users of all environments in memory: some 30 MB. Beyond it the oldest sample is dropped. */
const USERS_MAX = 200_000
/** The bytes that wait to be stored. Further sightings are ignored until the next write. */
const PENDING_MAX_BYTES = 8 * 1024 * 1024
const EVERY_MS = 1_000

export interface SeenUsers {
  /** Adds the users of stored reports. It never waits, and ignores what there is no room for. */
  see(environment_id: string, day: string, sightings: Iterable<Sighting>): void
  /** Forgets what waits to be stored of a user. */
  forget(environment_id: string, user_hash: Buffer): void
  /** Stores what waits. */
  flush(): Promise<void>
  start(): void
  close(): Promise<void>
}

interface SeenUsersDeps {
  readonly db: Kysely<Database>
  readonly log: Log
  readonly partitions: { storing<T>(day: string, write: () => Promise<T>): Promise<T> }
}

/**
 * Creates what remembers the users of reports. Every second it stores those that are new, one statement for
 * each environment. What a crash loses is seen again.
 */
export function createSeenUsers(
  { db, log, partitions }: SeenUsersDeps,
  { usersMax }: { readonly usersMax: number },
): SeenUsers {
  /** The samples by environment, the one that began first at the front. */
  const samples = new Map<string, DaySample>()
  const waiting = new Set<string>()
  let pendingBytes = 0
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  function sampleOf(environment_id: string, day: string): DaySample {
    const known = samples.get(environment_id)
    if (known?.day === day) return known
    const fresh = createDaySample(day)
    samples.delete(environment_id)
    samples.set(environment_id, fresh)
    return fresh
  }

  async function store(environment_id: string): Promise<void> {
    const sample = samples.get(environment_id)
    const sightings = sample?.take() ?? []
    if (!sample || sightings.length === 0) return
    const mode = await findSeenUsersMode(db, environment_id)
    if (mode === null || mode.seen_users === 'off') return
    const names = mode.seen_users === 'attributes' ? await listNamedAttributes(db, environment_id) : []
    const rows = sightings.map(({ context, ...sighting }) => ({
      ...sighting,
      attributes: mode.seen_users === 'attributes' ? keepAttributes(context, names) : null,
    }))
    const place = { environment_id, day: sample.day }
    const bound = await partitions.storing(sample.day, () => storeSeenUsers(db, place, { rows, usersMax }))
    sample.remember(sightings, bound)
  }

  async function storeAll(): Promise<void> {
    const environments = [...waiting]
    waiting.clear()
    pendingBytes = 0
    for (const environment_id of environments) await store(environment_id)
    let users = [...samples.values()].reduce((sum, { size }) => sum + size, 0)
    for (const [environment_id, { size }] of samples) {
      if (users <= USERS_MAX) return
      users -= size
      samples.delete(environment_id)
    }
  }

  /** One write at a time: a second call waits for the first one and stores what came since. */
  async function flush(): Promise<void> {
    await running
    running ??= storeAll().finally(() => {
      running = null
    })
    await running
  }

  return {
    see(environment_id, day, sightings) {
      const sample = sampleOf(environment_id, day)
      for (const sighting of sightings) {
        if (pendingBytes > PENDING_MAX_BYTES) return
        const bytes = sample.add(sighting)
        pendingBytes += bytes
        if (bytes > 0) waiting.add(environment_id)
      }
    },
    forget: (environment_id, user_hash) => samples.get(environment_id)?.forget(user_hash),
    flush,
    start() {
      timer ??= setInterval(() => {
        if (waiting.size === 0 || running !== null) return
        flush().catch((err: unknown) =>
          log.warn({ err }, 'seen users could not be stored; those seen again are'),
        )
      }, EVERY_MS)
    },
    async close() {
      clearInterval(timer)
      await flush().catch((err: unknown) => log.warn({ err }, 'the last seen users could not be stored'))
    },
  }
}
