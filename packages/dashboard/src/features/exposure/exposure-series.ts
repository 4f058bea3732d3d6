import type { Exposure } from '@burgee/contract'
import { SERIES_MAX } from '../../shared/charts/series-color.ts'

/** Values with a place of their own in the chart, and the days with a count for each. */
export interface ExposureSeries {
  /** In the order of their colors. */
  readonly values: readonly string[]
  /** True if further values share a series: the last count of each day. */
  readonly hasRest: boolean
  readonly days: readonly ExposureDay[]
}

export interface ExposureDay {
  /** `2026-01-31`, UTC. */
  readonly day: string
  /** One for each value, then the rest where there is one. */
  readonly counts: readonly number[]
}

/** The timeline with every day in it; the values that were seen most have a series each. */
export function toExposureSeries(
  { timeline, variants }: Pick<Exposure, 'timeline' | 'variants'>,
  days: readonly string[],
): ExposureSeries {
  const all = variants.map(({ value }) => value)
  const hasRest = all.length > SERIES_MAX
  // The order is by value and not by count: colors stay with their values as counts overtake each other.
  const values = all.slice(0, SERIES_MAX).sort(byText)
  const width = values.length + (hasRest ? 1 : 0)
  const byDay = new Map(days.map((day) => [day, new Array<number>(width).fill(0)]))
  for (const { day, value, count } of timeline) {
    const counts = byDay.get(day)
    if (!counts) continue
    const place = values.indexOf(value)
    const at = place < 0 ? width - 1 : place
    // A value of the timeline alone has no series where nothing collects the rest.
    if (place >= 0 || hasRest) counts[at] = (counts[at] ?? 0) + count
  }
  return { values, hasRest, days: [...byDay].map(([day, counts]) => ({ day, counts })) }
}

/** In code unit order, regardless of the locale. */
const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
