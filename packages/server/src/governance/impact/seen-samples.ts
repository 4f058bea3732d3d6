import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { countRemovals, readSeenSample, type SampleOf, type SeenSample } from './queries.ts'

/** The samples of seen users that analyses read. Those of many users are kept for half a minute. */
export interface SeenSamples {
  /** Returns the sample of an environment. It never has what was removed before the call. */
  read(place: SampleOf): Promise<SeenSample>
}

/** The time for which a sample is kept. Users who are seen meanwhile are not in it. */
const KEPT_MS = 30_000
/** A sample with fewer users is read in some milliseconds, and is not kept. */
const KEPT_FROM_USERS = 5_000
/** The characters of all samples that are kept. Beyond it the oldest are dropped. */
const KEPT_MAX_LENGTH = 64 * 1024 * 1024

interface Kept {
  readonly sample: Promise<SeenSample>
  /** The characters of the sample; 0 while it is read. */
  length: number
}

interface SamplesDeps {
  readonly db: Kysely<Database>
  /** Runs a task later. */
  readonly later?: (task: () => void, ms: number) => unknown
}

export function createSeenSamples(
  { db, later = (task, ms) => setTimeout(task, ms).unref() }: SamplesDeps,
  { keptFromUsers = KEPT_FROM_USERS, keptMaxLength = KEPT_MAX_LENGTH } = {},
): SeenSamples {
  /** The samples by environment and days, the one that was read first at the front. */
  const kept = new Map<string, Kept>()

  function start(key: string, place: SampleOf): Promise<SeenSample> {
    const reading: Kept = { sample: readSeenSample(db, place), length: 0 }
    kept.delete(key)
    kept.set(key, reading)
    const drop = () => {
      if (kept.get(key) === reading) kept.delete(key)
    }
    reading.sample.then((sample) => {
      if (sample.count < keptFromUsers) return drop()
      reading.length = sample.pages.reduce((sum, { length }) => sum + length, 0)
      dropOldest()
      // Also where no analysis follows: keys and attributes do not stay in memory.
      later(drop, KEPT_MS)
    }, drop)
    return reading.sample
  }

  function dropOldest(): void {
    let length = [...kept.values()].reduce((sum, one) => sum + one.length, 0)
    for (const [key, one] of kept) {
      if (length <= keptMaxLength) return
      length -= one.length
      kept.delete(key)
    }
  }

  return {
    async read(place) {
      const removals = await countRemovals(db, place.environment_id)
      const key = `${place.environment_id} ${place.days ?? ''}`
      const sample = await kept.get(key)?.sample
      // One that is being read may have begun before a removal.
      return sample && sample.removals >= removals ? sample : start(key, place)
    },
  }
}
