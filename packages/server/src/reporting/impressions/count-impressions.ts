import { dayOf } from '../../kernel/utc-day.ts'
import { REPORTS_PER_STEP } from '../ingest/report-steps.ts'
import type { CleanImpression } from './impression-batch.ts'

/**
 * The rollup rows of a group of impressions. Times are milliseconds since 1970, days are counted from
 * 1970-01-01.
 */
export interface ImpressionCounts {
  readonly flags: readonly string[]
  readonly values: readonly ValueCount[]
  readonly days: readonly DayCount[]
  readonly users: readonly FirstExposure[]
}

interface ValueCount {
  readonly flag_key: string
  readonly value: string
  readonly value_hash: Buffer
  readonly impressions: number
  readonly last_seen: number
  /** The index of the group's last impression. */
  readonly lastIndex: number
}

interface DayCount {
  readonly flag_key: string
  readonly value_hash: Buffer
  readonly day: number
  readonly impressions: number
}

/** The first time that a user saw a value, within the group. */
interface FirstExposure {
  readonly flag_key: string
  readonly user_hash: Buffer
  readonly value_hash: Buffer
  readonly first_at: number
  /** The index of that impression in the group. */
  readonly index: number
}

interface Seen {
  first_at: number
  index: number
}

interface Tally {
  readonly flag_key: string
  readonly value: string
  readonly value_hash: Buffer
  impressions: number
  last_seen: number
  lastIndex: number
  readonly days: Map<number, number>
  readonly users: Map<string, Seen>
}

interface ReportHashes {
  readonly hashUser: (user_id: string) => Buffer
  readonly hashValue: (value: string) => Buffer
}

/**
 * Counts before anything is stored: the database then gets each value, day and user of the group once. It
 * yields between its steps.
 */
export function* countImpressions(
  impressions: readonly CleanImpression[],
  { hashUser, hashValue }: ReportHashes,
): Generator<void, ImpressionCounts> {
  const flags = new Map<string, Map<string, Tally>>()
  for (const [index, impression] of impressions.entries()) {
    add(tallyOf(flags, impression, hashValue), impression, index)
    if (index % REPORTS_PER_STEP === 0) yield
  }
  const tallies = [...flags.values()].flatMap((values) => [...values.values()])
  return {
    flags: [...flags.keys()],
    values: tallies,
    days: tallies.flatMap(({ days, flag_key, value_hash }) =>
      [...days].map(([day, impressions]) => ({ flag_key, value_hash, day, impressions })),
    ),
    users: yield* listFirstExposures(tallies, hashUser),
  }
}

function tallyOf(
  flags: Map<string, Map<string, Tally>>,
  { flag_key, value }: CleanImpression,
  hashValue: ReportHashes['hashValue'],
): Tally {
  let values = flags.get(flag_key)
  if (!values) {
    values = new Map()
    flags.set(flag_key, values)
  }
  let tally = values.get(value)
  if (!tally) {
    tally = {
      flag_key,
      value,
      value_hash: hashValue(value),
      impressions: 0,
      last_seen: Number.NEGATIVE_INFINITY,
      lastIndex: -1,
      days: new Map(),
      users: new Map(),
    }
    values.set(value, tally)
  }
  return tally
}

function add(tally: Tally, { evaluated_at, exposed_at, user_id }: CleanImpression, index: number): void {
  const day = dayOf(evaluated_at)
  tally.impressions += 1
  tally.last_seen = Math.max(tally.last_seen, evaluated_at)
  tally.lastIndex = index
  tally.days.set(day, (tally.days.get(day) ?? 0) + 1)
  if (user_id === null) return
  const seen = tally.users.get(user_id)
  if (!seen) {
    tally.users.set(user_id, { first_at: exposed_at, index })
  } else if (exposed_at < seen.first_at) {
    seen.first_at = exposed_at
    seen.index = index
  }
}

function* listFirstExposures(
  tallies: readonly Tally[],
  hashUser: ReportHashes['hashUser'],
): Generator<void, FirstExposure[]> {
  const hashes = new Map<string, Buffer>()
  const hashOnce = (user_id: string) => {
    const known = hashes.get(user_id)
    if (known) return known
    const fresh = hashUser(user_id)
    hashes.set(user_id, fresh)
    return fresh
  }
  const exposures: FirstExposure[] = []
  for (const { flag_key, users, value_hash } of tallies) {
    for (const [user_id, { first_at, index }] of users) {
      exposures.push({ flag_key, user_hash: hashOnce(user_id), value_hash, first_at, index })
      if (exposures.length % REPORTS_PER_STEP === 0) yield
    }
  }
  return exposures
}
