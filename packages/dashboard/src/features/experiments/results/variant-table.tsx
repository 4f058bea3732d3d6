import { Badge, Group, Paper, Text } from '@mantine/core'
import { formatCount, formatShare, formatSignedChange } from '../../../shared/charts/format-number.ts'
import { ReportedValue } from '../../../shared/charts/reported-value.tsx'
import { formatBarePValue } from '../descriptions/describe-chance.ts'
import type { VariantResult } from '../descriptions/describe-comparison.ts'
import classes from './variant-table.module.css'

interface VariantTableProps {
  readonly variants: readonly VariantResult[]
  readonly goal_event_key: string
  /** False if the split is broken: then no test of the numbers means anything. */
  readonly isTested: boolean
}

/** Users and conversions of each variant, with bars from zero on one scale. */
export function VariantTable({ variants, goal_event_key, isTested }: VariantTableProps) {
  const top = Math.max(...variants.map(({ conversion_rate }) => conversion_rate), Number.EPSILON)
  return (
    <Paper withBorder radius="md" className={classes.frame}>
      <table className={classes.table}>
        <caption className={classes.caption}>
          Conversion to <b>{goal_event_key}</b>
        </caption>
        <thead>
          <tr>
            <th scope="col">Variant</th>
            <th scope="col">Conversion</th>
            <th scope="col" data-number>
              Users
            </th>
            <th scope="col" data-number>
              Converted
            </th>
            <th scope="col" data-number>
              Uplift
            </th>
            <th scope="col" data-number>
              p-value
            </th>
          </tr>
        </thead>
        <tbody>
          {variants.map((variant) => (
            <VariantRow key={variant.variant} variant={variant} top={top} isTested={isTested} />
          ))}
        </tbody>
      </table>
      <Text size="xs" c="dimmed" className={classes.note}>
        Each user counts once, for the value seen first. Evaluations without a user key are left out: they
        cannot be assigned to a user.
      </Text>
    </Paper>
  )
}

interface VariantRowProps extends Pick<VariantTableProps, 'isTested'> {
  readonly variant: VariantResult
  /** The greatest rate of all. */
  readonly top: number
}

function VariantRow({ variant, top, isTested }: VariantRowProps) {
  const { conversion_rate, is_control, uplift, p_value } = variant
  return (
    <tr>
      <th scope="row">
        <Group gap={8} wrap="nowrap">
          <ReportedValue value={variant.variant} />
          {is_control && (
            <Badge size="sm" variant="default" tt="none" fw={500} flex="none">
              Control
            </Badge>
          )}
        </Group>
      </th>
      <td>
        <div className={classes.conversion}>
          <div className={classes.track} aria-hidden="true">
            <div
              className={classes.bar}
              data-control={is_control || undefined}
              style={{ width: `${(conversion_rate / top) * 100}%` }}
            />
          </div>
          <span className={classes.rate}>{formatShare(conversion_rate)}</span>
        </div>
      </td>
      <td data-number data-label="Users">
        {formatCount(variant.exposed)}
      </td>
      <td data-number data-label="Converted">
        {formatCount(variant.converted)}
      </td>
      <td data-number data-label="Uplift">
        {uplift === null ? '–' : formatSignedChange(uplift)}
      </td>
      <td data-number data-label="p-value">
        {p_value === null || !isTested ? '–' : formatBarePValue(p_value)}
      </td>
    </tr>
  )
}
