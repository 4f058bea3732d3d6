import { Paper, Text, Title } from '@mantine/core'
import { formatPoints } from '../../../shared/charts/format-number.ts'
import { nameValue } from '../../../shared/charts/name-value.ts'
import { ReportedValue } from '../../../shared/charts/reported-value.tsx'
import type { VariantResult } from '../descriptions/describe-comparison.ts'
import classes from './difference-chart.module.css'
import { type DifferenceScale, differenceScale } from './difference-scale.ts'

interface DifferenceChartProps {
  /** The control first. */
  readonly variants: readonly VariantResult[]
}

/**
 * The distance of each variant from the control, with both intervals. An interval that does not touch the
 * zero line is a difference.
 */
export function DifferenceChart({ variants: [control, ...others] }: DifferenceChartProps) {
  if (!control) return null
  const scale = differenceScale(others, control)
  const base = nameValue(control.variant)
  return (
    <Paper component="section" withBorder radius="md" className={classes.frame} aria-labelledby="difference">
      <Title order={2} size="h5" id="difference">
        Difference from {base}
      </Title>
      <Text size="xs" c="dimmed" mb="sm">
        In percentage points of conversion. There is a difference where the range that holds at any time does
        not touch zero.
      </Text>
      <div className={classes.rows}>
        {others.map((variant) => (
          <DifferenceRow key={variant.variant} variant={variant} control={control} scale={scale} />
        ))}
        <div className={classes.axis} aria-hidden="true">
          {scale.ticks.map((tick) => (
            <span
              key={tick}
              className={classes.tick}
              data-zero={tick === 0 || undefined}
              style={{ left: `${scale.percentOf(tick)}%` }}
            >
              {tick === 0 ? '0' : formatPoints(tick)}
            </span>
          ))}
        </div>
      </div>
      <ul className={classes.legend} aria-label="Legend">
        <li>
          <span className={classes.dot} aria-hidden="true" /> observed
        </li>
        <li>
          <span className={classes.once} aria-hidden="true" /> 95% range for one planned look
        </li>
        <li>
          <span className={classes.always} aria-hidden="true" /> 95% range that holds at any time
        </li>
      </ul>
    </Paper>
  )
}

interface DifferenceRowProps {
  readonly variant: VariantResult
  readonly control: VariantResult
  readonly scale: DifferenceScale
}

function DifferenceRow({ variant, control, scale }: DifferenceRowProps) {
  const { confidence_interval, sequential } = variant
  const difference = variant.conversion_rate - control.conversion_rate
  const spanOf = ({ low, high }: { readonly low: number; readonly high: number }) => ({
    left: `${scale.percentOf(low)}%`,
    width: `${scale.percentOf(high) - scale.percentOf(low)}%`,
  })
  return (
    <div className={classes.row}>
      <div className={classes.name}>
        <ReportedValue value={variant.variant} />
        <span className={classes.number}>{formatPoints(difference)}</span>
      </div>
      <div className={classes.plot} role="img" aria-label={describePlot(variant, difference)}>
        <span className={classes.zero} style={{ left: `${scale.percentOf(0)}%` }} />
        {sequential && <span className={classes.always} style={spanOf(sequential)} />}
        {confidence_interval && <span className={classes.once} style={spanOf(confidence_interval)} />}
        <span className={classes.dot} style={{ left: `${scale.percentOf(difference)}%` }} />
      </div>
    </div>
  )
}

/** The same for those who do not see it. */
function describePlot(
  { variant, confidence_interval, sequential }: VariantResult,
  difference: number,
): string {
  const parts = [`${nameValue(variant)}: ${formatPoints(difference)} percentage points`]
  if (confidence_interval) {
    parts.push(
      `one look ${formatPoints(confidence_interval.low)} to ${formatPoints(confidence_interval.high)}`,
    )
  }
  if (sequential)
    parts.push(`at any time ${formatPoints(sequential.low)} to ${formatPoints(sequential.high)}`)
  return parts.join('; ')
}
