import { formatCount } from '../../shared/charts/format-number.ts'
import { formatDay } from '../../shared/charts/last-days.ts'
import { ReportedValue } from '../../shared/charts/reported-value.tsx'
import { seriesColor } from '../../shared/charts/series-color.ts'
import { CHART_PX } from './chart-height.ts'
import type { ExposureSeries } from './exposure-series.ts'
import classes from './exposure-table.module.css'

/** The chart in numbers, the latest day first. */
export function TimelineTable({ series: { values, hasRest, days } }: { readonly series: ExposureSeries }) {
  return (
    <section
      className={classes.scroll}
      style={{ height: CHART_PX }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
      tabIndex={0}
      aria-label="Impressions by day, as a table"
    >
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {values.map((value, index) => (
              <th key={value} scope="col" className={classes.head}>
                <ReportedValue value={value} color={seriesColor(index)} />
              </th>
            ))}
            {hasRest && (
              <th scope="col" data-number>
                All other values
              </th>
            )}
            <th scope="col" data-number>
              All
            </th>
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map(({ day, counts }) => (
            <tr key={day}>
              <th scope="row">{formatDay(day)}</th>
              {counts.map((count, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <td key={index} data-number>
                  {formatCount(count)}
                </td>
              ))}
              <td data-number>{formatCount(counts.reduce((sum, count) => sum + count, 0))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
