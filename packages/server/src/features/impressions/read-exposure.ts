import type { Exposure, FlagActivity } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { type DaySpan, type FlagPlace, listDays, listTimeline, listValues } from './reading/queries.ts'

/**
 * Who saw what of the flag, over all time, and its timeline over the days; of a flag with very many values the most frequent, and totals over
 * all. A flag that nobody has seen has zeros.
 */
export async function readExposure(db: Kysely<Database>, place: FlagPlace, span: DaySpan): Promise<Exposure> {
  const values = await listValues(db, place)
  return {
    flag_key: place.flag_key,
    total_impressions: values[0]?.total_impressions ?? 0,
    total_users: values[0]?.total_users ?? 0,
    variants: values.map(({ impressions, unique_users, value }) => ({ value, impressions, unique_users })),
    timeline: await listTimeline(db, place, span),
  }
}

/** The days of each flag that was evaluated in that time. */
export async function readActivity(
  db: Kysely<Database>,
  environment_id: string,
  span: DaySpan,
): Promise<FlagActivity[]> {
  const activities = new Map<string, FlagActivity>()
  for (const { count, day, flag_key } of await listDays(db, environment_id, span)) {
    const activity = activities.get(flag_key) ?? { flag_key, days: [] }
    activities.set(flag_key, activity)
    activity.days.push({ day, count })
  }
  return [...activities.values()]
}
