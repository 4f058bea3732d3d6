import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatCompact, formatCount } from '../../shared/charts/format-number.ts'
import { formatDay } from '../../shared/charts/last-days.ts'
import { nameValue } from '../../shared/charts/name-value.ts'
import { seriesColor } from '../../shared/charts/series-color.ts'
import { CHART_PX } from './chart-height.ts'
import type { ExposureDay, ExposureSeries } from './exposure-series.ts'
import classes from './timeline-chart.module.css'

interface TimelineChartProps {
  readonly flag_key: string
  readonly series: ExposureSeries
}

/** Stacked bars by day from zero; the table beside states the same in numbers. */
export function TimelineChart({ flag_key, series: { values, hasRest, days } }: TimelineChartProps) {
  const names = [...values.map(nameValue), ...(hasRest ? ['All other values'] : [])]
  return (
    <figure className={classes.figure} aria-label={`Impressions of ${flag_key} by day and value`}>
      <ul className={classes.legend} aria-label="Values">
        {names.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: long values may have the same short name
          <li key={index}>
            <span
              className={classes.swatch}
              style={{ background: colorOf(index, values.length) }}
              aria-hidden="true"
            />
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      <ResponsiveContainer width="100%" height={CHART_PX - 30}>
        <BarChart data={[...days]} margin={{ top: 4, right: 4, bottom: 0, left: 0 }} barCategoryGap="18%">
          <CartesianGrid vertical={false} stroke="var(--burgee-line)" />
          <XAxis
            dataKey="day"
            tickFormatter={formatDay}
            tickLine={false}
            axisLine={{ stroke: 'var(--burgee-line)' }}
            tick={AXIS_TEXT}
            minTickGap={24}
            interval="equidistantPreserveStart"
          />
          <YAxis
            tickFormatter={formatCompact}
            tickLine={false}
            axisLine={false}
            tick={AXIS_TEXT}
            width={48}
            allowDecimals={false}
          />
          <Tooltip
            cursor={{ fill: 'var(--mantine-color-default-hover)' }}
            content={({ active, label }) => {
              const day = active ? days.find((one) => one.day === label) : undefined
              return day ? <DayTooltip day={day} names={names} valueCount={values.length} /> : null
            }}
          />
          {names.map((name, index) => (
            <Bar
              // biome-ignore lint/suspicious/noArrayIndexKey: long values may have the same short name
              key={index}
              dataKey={({ counts }: ExposureDay) => counts[index] ?? 0}
              name={name}
              stackId="values"
              fill={colorOf(index, values.length)}
              maxBarSize={44}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </figure>
  )
}

const AXIS_TEXT = { fill: 'var(--mantine-color-dimmed)', fontSize: 12 }

const colorOf = (index: number, valueCount: number): string =>
  seriesColor(index < valueCount ? index : Number.POSITIVE_INFINITY)

interface DayTooltipProps {
  readonly day: ExposureDay
  readonly names: readonly string[]
  readonly valueCount: number
}

function DayTooltip({ day, names, valueCount }: DayTooltipProps) {
  const total = day.counts.reduce((sum, count) => sum + count, 0)
  return (
    <div className={classes.tooltip}>
      <div className={classes.day}>
        <b>{formatDay(day.day)}</b>
        <span>{formatCount(total)}</span>
      </div>
      {/* As they are stacked: the last on top. */}
      {names
        .map((name, index) => ({ name, index }))
        .reverse()
        .map(({ name, index }) => (
          <div key={index} className={classes.line}>
            <span className={classes.swatch} style={{ background: colorOf(index, valueCount) }} />
            <bdi className={classes.name}>{name}</bdi>
            <span>{formatCount(day.counts[index] ?? 0)}</span>
          </div>
        ))}
    </div>
  )
}
