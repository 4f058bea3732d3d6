import type { Clock } from '../../platform/clock.ts'
import { reportHash } from '../../platform/crypto/report-hash.ts'
import type { Log } from '../../platform/log.ts'
import type { ExperimentCount } from './experiment-results.ts'
import type { CountedPair, ReportVersions } from './queries.ts'

/** Who would wait longer than this for a new count of many users is given the last one, if it is not old. */
const PATIENCE_MS = 40
/** With no more users than this in the last count a new one is always waited for: whatever makes it slow, it is not their number. */
const FEW_USERS_MAX = 20_000
/** Experiments that are counted side by side: each count takes a connection and a core of the database. */
const COUNTS_MAX = 2
/** How old a count may be that is given although more has been reported since. */
const LAST_COUNT_MAX_MS = 5_000
/** After a long count, this many times its duration passes before the next, so that watching costs a share of the database. */
const REST_FACTOR = 4
/** Of the texts of variants that are kept in all, in characters; beyond it the count that was asked for longest ago goes. */
const KEPT_CHARACTERS = 8 * 1024 * 1024
/** What a count weighs beside its texts, in the same unit. */
const CHARACTERS_A_VARIANT = 64

export interface ExperimentCounts {
  /** What has been counted for a flag and a goal. With little data everything reported before the call is in it. */
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
  /** When it was begun: what was reported later may be missing. */
  readonly begunMs: number
  readonly endedMs: number
}

interface Entry {
  last: Count | null
  /** One at a time, however many ask. */
  running: Promise<Count> | null
}

/**
 * Counts of experiments, kept while nothing new is reported: each report raises a version that costs nothing to read. When something is
 * new and there are many users to count, whoever asks is given the last count, unless it is older than `LAST_COUNT_MAX_MS`.
 */
export function createExperimentCounts({
  clock,
  count,
  log,
  readVersions,
}: ExperimentCountsDeps): ExperimentCounts {
  /** In the order in which they were last asked for. */
  const entries = new Map<string, Entry>()
  const inTurn = createTurns(COUNTS_MAX)

  async function find(pair: CountedPair): Promise<ExperimentCount> {
    const { always, environment_id, flag_key, goal_event_key } = pair
    const name = JSON.stringify([environment_id, flag_key, goal_event_key, always.map(hexHash)])
    const versions = await readVersions(pair)
    const entry = entries.get(name) ?? { last: null, running: null }
    entries.delete(name)
    entries.set(name, entry)
    if (entry.last && isSame(entry.last.versions, versions)) return entry.last.counted
    const { last } = entry
    if (!last || !hasManyUsers(last) || clock.monotonicMs() - last.begunMs > LAST_COUNT_MAX_MS)
      return (await fresh(pair, entry, versions)).counted
    if (!isLong(last)) return (await withPatience(fresh(pair, entry, versions), last)).counted
    if (entry.running === null && hasRested(last, clock.monotonicMs())) logFailure(begin(pair, entry))
    return last.counted
  }

  /**
   * A count that has all that the versions tell of. The one that is running may have begun too early; the next has not, whatever its
   * versions say: they go back when the environment is removed meanwhile, or a backup restored.
   */
  async function fresh(pair: CountedPair, entry: Entry, versions: ReportVersions): Promise<Count> {
    const running = entry.running && (await entry.running)
    if (running && holds(running.versions, versions)) return running
    return entry.running ?? begin(pair, entry)
  }

  function begin(pair: CountedPair, entry: Entry): Promise<Count> {
    entry.running = inTurn(() => countNow(pair))
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
    // Before the count: what is reported between the two is counted, and counted again the next time.
    const versions = await readVersions(pair)
    const counted = await count(pair)
    return { versions, counted, begunMs, endedMs: clock.monotonicMs() }
  }

  async function withPatience(counting: Promise<Count>, last: Count): Promise<Count> {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<Count>((resolve) => {
      timer = setTimeout(() => {
        logFailure(counting)
        resolve(last)
      }, PATIENCE_MS)
    })
    return Promise.race([counting, patience]).finally(() => clearTimeout(timer))
  }

  /** Whoever goes on without the count does not hear of its failure. */
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

/** Lets so many run at a time; the others wait in the order in which they came. */
function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // Whoever is next takes over the place.
      if (next) next()
      else running -= 1
    }
  }
}

const hexHash = (text: string): string => reportHash(text).toString('hex')

const hasManyUsers = ({ counted }: Count): boolean => counted.total_exposed > FEW_USERS_MAX

const isLong = ({ begunMs, endedMs }: Count): boolean => endedMs - begunMs > PATIENCE_MS

const hasRested = ({ begunMs, endedMs }: Count, nowMs: number): boolean =>
  nowMs - endedMs >= REST_FACTOR * (endedMs - begunMs)

const isSame = (one: ReportVersions, other: ReportVersions): boolean =>
  one.impressions === other.impressions && one.goals === other.goals

/** Versions only grow. */
const holds = (counted: ReportVersions, wanted: ReportVersions): boolean =>
  counted.impressions >= wanted.impressions && counted.goals >= wanted.goals

const weightOf = (count: Count | null): number =>
  (count?.counted.variants ?? []).reduce(
    (sum, { variant }) => sum + variant.length + CHARACTERS_A_VARIANT,
    CHARACTERS_A_VARIANT,
  )
