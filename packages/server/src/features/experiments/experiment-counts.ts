import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { VariantCount } from './experiment-results.ts'
import type { CountedPair, ReportVersions } from './queries.ts'

/** Who would wait longer than this for a new count is given the last one, if it is not old. */
const PATIENCE_MS = 40
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
  find(pair: CountedPair): Promise<readonly VariantCount[]>
}

export interface ExperimentCountsDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Pick<Log, 'warn'>
  readonly readVersions: (pair: CountedPair) => Promise<ReportVersions>
  readonly count: (pair: CountedPair) => Promise<VariantCount[]>
}

interface Count {
  readonly versions: ReportVersions
  readonly variants: readonly VariantCount[]
  /** When it was begun: what was reported later may be missing. */
  readonly begun_ms: number
  readonly ended_ms: number
}

interface Entry {
  last: Count | null
  /** One at a time, however many ask. */
  running: Promise<Count> | null
}

/**
 * Counts of experiments, kept while nothing new is reported: each report raises a version that costs nothing to read. When something is
 * new and counting takes long, whoever asks is given the last count, unless it is older than `LAST_COUNT_MAX_MS`.
 */
export function createExperimentCounts({
  clock,
  count,
  log,
  readVersions,
}: ExperimentCountsDeps): ExperimentCounts {
  /** In the order in which they were last asked for. */
  const entries = new Map<string, Entry>()

  async function find(pair: CountedPair): Promise<readonly VariantCount[]> {
    const name = JSON.stringify([pair.environment_id, pair.flag_key, pair.goal_event_key])
    const versions = await readVersions(pair)
    const entry = entries.get(name) ?? { last: null, running: null }
    entries.delete(name)
    entries.set(name, entry)
    if (entry.last && isSame(entry.last.versions, versions)) return entry.last.variants
    const { last } = entry
    if (!last || clock.monotonicMs() - last.begun_ms > LAST_COUNT_MAX_MS)
      return (await fresh(pair, entry, versions)).variants
    if (!isLong(last)) return (await withPatience(fresh(pair, entry, versions), last)).variants
    if (entry.running === null && hasRested(last, clock.monotonicMs())) logFailure(begin(pair, entry))
    return last.variants
  }

  /** A count that has all that the versions tell of: the one that is running may have begun too early. */
  async function fresh(pair: CountedPair, entry: Entry, versions: ReportVersions): Promise<Count> {
    for (;;) {
      const done = await (entry.running ?? begin(pair, entry))
      if (holds(done.versions, versions)) return done
    }
  }

  function begin(pair: CountedPair, entry: Entry): Promise<Count> {
    entry.running = countNow(pair)
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
    const begun_ms = clock.monotonicMs()
    // Before the count: what is reported between the two is counted, and counted again the next time.
    const versions = await readVersions(pair)
    const variants = await count(pair)
    return { versions, variants, begun_ms, ended_ms: clock.monotonicMs() }
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

const isLong = ({ begun_ms, ended_ms }: Count): boolean => ended_ms - begun_ms > PATIENCE_MS

const hasRested = ({ begun_ms, ended_ms }: Count, now_ms: number): boolean =>
  now_ms - ended_ms >= REST_FACTOR * (ended_ms - begun_ms)

const isSame = (one: ReportVersions, other: ReportVersions): boolean =>
  one.impressions === other.impressions && one.goals === other.goals

/** Versions only grow. */
const holds = (counted: ReportVersions, wanted: ReportVersions): boolean =>
  counted.impressions >= wanted.impressions && counted.goals >= wanted.goals

const weightOf = (count: Count | null): number =>
  (count?.variants ?? []).reduce(
    (sum, { variant }) => sum + variant.length + CHARACTERS_A_VARIANT,
    CHARACTERS_A_VARIANT,
  )
