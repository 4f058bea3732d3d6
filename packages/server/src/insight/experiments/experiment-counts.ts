import type { Clock } from '../../platform/clock.ts'
import { createSemaphore } from '../../platform/concurrency/semaphore.ts'
import { withTimeout } from '../../platform/concurrency/with-timeout.ts'
import { reportHash } from '../../platform/crypto/report-hash.ts'
import type { Log } from '../../platform/log/log.ts'
import type { ExperimentCount } from './experiment-results.ts'
import type { CountedPair, ReportVersions } from './queries.ts'

/**
 * A new count of many users that takes longer is not waited for: the response has the last one, unless that
 * is too old.
 */
const STALE_AFTER_MS = 40
/** With no more users than this in the last count, a new one is always waited for. */
const FEW_USERS_MAX = 20_000
/**
 * The experiments that are counted concurrently. Each count takes a connection and a core of the database.
 */
const COUNTS_MAX = 2
/** The greatest age of a count that is served although more has been reported since. */
const STALE_MAX_MS = 5_000
/**
 * The pause after a long count, as a multiple of its duration, so that watching costs only a share of the
 * database.
 */
const COOLDOWN_FACTOR = 4
/**
 * The characters of all cached variants; beyond it the least recently used count is evicted.
 */
const KEPT_CHARACTERS = 8 * 1024 * 1024
/** The weight of a count beside its texts, in characters. */
const CHARACTERS_A_VARIANT = 64

export interface ExperimentCounts {
  /**
   * Returns the counts of a flag and a goal. With little data they include everything reported before the
   * call.
   */
  find(pair: CountedPair): Promise<ExperimentCount>
}

export interface ExperimentCountsDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Pick<Log, 'warn'>
  readonly readVersions: (pair: CountedPair) => Promise<ReportVersions>
  readonly count: (pair: CountedPair) => Promise<ExperimentCount>
}

interface Count {
  readonly versions: ReportVersions
  readonly counted: ExperimentCount
  /** The start of the count. Later reports may be missing. */
  readonly begunMs: number
  readonly endedMs: number
}

interface Entry {
  last: Count | null
  /** The running count; concurrent callers share it. */
  running: Promise<Count> | null
}

/**
 * Caches counts of experiments while nothing new is reported: each report raises a version that is cheap to
 * read. When there are new reports and many users to count, callers get the last count unless it is older
 * than `LAST_COUNT_MAX_MS` (stale-while-revalidate).
 */
export function createExperimentCounts({
  clock,
  count,
  log,
  readVersions,
}: ExperimentCountsDeps): ExperimentCounts {
  /** Entries in the order of their last use. */
  const entries = new Map<string, Entry>()
  const withPermit = createSemaphore(COUNTS_MAX)

  async function find(pair: CountedPair): Promise<ExperimentCount> {
    const { always, environment_id, flag_key, goal_event_key } = pair
    const name = JSON.stringify([environment_id, flag_key, goal_event_key, always.map(hexHash)])
    const versions = await readVersions(pair)
    const entry = entries.get(name) ?? { last: null, running: null }
    entries.delete(name)
    entries.set(name, entry)
    if (entry.last && isSame(entry.last.versions, versions)) return entry.last.counted
    const { last } = entry
    if (!last || !hasManyUsers(last) || clock.monotonicMs() - last.begunMs > STALE_MAX_MS)
      return (await fresh(pair, entry, versions)).counted
    if (!isLong(last)) return (await freshOrStale(fresh(pair, entry, versions), last)).counted
    if (entry.running === null && isCooledDown(last, clock.monotonicMs())) logFailure(begin(pair, entry))
    return last.counted
  }

  /**
   * Returns a count that includes everything up to the versions. A running one may have started too early;
   * the next one has not, whatever its versions are: they go back when the environment is deleted or a backup
   * restored.
   */
  async function fresh(pair: CountedPair, entry: Entry, versions: ReportVersions): Promise<Count> {
    const running = entry.running && (await entry.running)
    if (running && covers(running.versions, versions)) return running
    return entry.running ?? begin(pair, entry)
  }

  function begin(pair: CountedPair, entry: Entry): Promise<Count> {
    entry.running = withPermit(() => countNow(pair))
      .then((done) => {
        entry.last = done
        return done
      })
      .finally(() => {
        entry.running = null
        dropOldest()
      })
    return entry.running
  }

  async function countNow(pair: CountedPair): Promise<Count> {
    const begunMs = clock.monotonicMs()
    // Read before the count: reports between the two are counted, and counted again the next time.
    const versions = await readVersions(pair)
    const counted = await count(pair)
    return { versions, counted, begunMs, endedMs: clock.monotonicMs() }
  }

  /** Gives the last count when a new one takes too long; that one is kept for the next request. */
  function freshOrStale(counting: Promise<Count>, last: Count): Promise<Count> {
    return withTimeout(counting, STALE_AFTER_MS, () => {
      logFailure(counting)
      return last
    })
  }

  /** Logs the failure of a count that the caller does not await. */
  function logFailure(counting: Promise<Count>): void {
    counting.catch((err: unknown) => log.warn({ err }, 'counting the users of an experiment failed'))
  }

  function dropOldest(): void {
    let left = KEPT_CHARACTERS
    for (const [name, { last, running }] of [...entries].reverse()) {
      left -= weightOf(last)
      if (left < 0 && running === null) entries.delete(name)
    }
  }

  return { find }
}

const hexHash = (text: string): string => reportHash(text).toString('hex')

const hasManyUsers = ({ counted }: Count): boolean => counted.total_exposed > FEW_USERS_MAX

const isLong = ({ begunMs, endedMs }: Count): boolean => endedMs - begunMs > STALE_AFTER_MS

const isCooledDown = ({ begunMs, endedMs }: Count, nowMs: number): boolean =>
  nowMs - endedMs >= COOLDOWN_FACTOR * (endedMs - begunMs)

const isSame = (one: ReportVersions, other: ReportVersions): boolean =>
  one.impressions === other.impressions && one.goals === other.goals

/** Returns whether a count includes the wanted versions, which only grow. */
const covers = (counted: ReportVersions, current: ReportVersions): boolean =>
  counted.impressions >= current.impressions && counted.goals >= current.goals

const weightOf = (count: Count | null): number =>
  (count?.counted.variants ?? []).reduce(
    (sum, { variant }) => sum + variant.length + CHARACTERS_A_VARIANT,
    CHARACTERS_A_VARIANT,
  )
