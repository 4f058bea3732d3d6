import type { FlagActivity } from '@burgee/contract'

/** A flag's impressions: one count for each day that is shown, and their sum. */
export interface Activity {
  readonly counts: readonly number[]
  readonly total: number
}

const DAY_MS = 24 * 60 * 60_000

/**
 * Daily impressions by flag key. Days are UTC. Days without impressions are absent from the response: they
 * become 0. Without impressions, today is left out instead, because it has hardly begun. `now` is in ms.
 */
export function activityByFlag(
  reply: readonly FlagActivity[],
  { days, now }: { readonly days: number; readonly now: number },
): ReadonlyMap<string, Activity> {
  const dates = Array.from({ length: days }, (_, index) =>
    new Date(now - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )
  return new Map(
    reply.map(({ flag_key, days: counted }) => {
      const byDay = new Map(counted.map(({ day, count }) => [day, count]))
      const all = dates.map((date) => byDay.get(date) ?? 0)
      const counts = all.at(-1) === 0 ? all.slice(0, -1) : all
      return [flag_key, { counts, total: counts.reduce((sum, count) => sum + count, 0) }]
    }),
  )
}
