import type { Exposure } from '@burgee/contract'
import { Button, Paper, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { formatCount, formatShare } from '../../shared/charts/format-number.ts'
import { ReportedValue } from '../../shared/charts/reported-value.tsx'
import { seriesColor } from '../../shared/charts/series-color.ts'
import type { ExposureSeries } from './exposure-series.ts'
import classes from './exposure-table.module.css'

const ROWS_AT_FIRST = 20

interface VariantSharesProps {
  readonly exposure: Exposure
  readonly series: ExposureSeries
}

/** Each value's impressions and users over the whole retained time. */
export function VariantShares({ exposure, series }: VariantSharesProps) {
  const [isComplete, setComplete] = useState(false)
  const { total_impressions, total_users, variants } = exposure
  const shown = isComplete ? variants : variants.slice(0, ROWS_AT_FIRST)
  return (
    <Paper component="section" withBorder radius="md" p="md" aria-labelledby="values">
      <Title order={2} size="h5" id="values">
        Values
      </Title>
      <Text size="xs" c="dimmed" mb="sm">
        {formatCount(total_impressions)} impressions and {formatCount(total_users)} users since the first
        report, not only those of the chosen days. A user who saw two values counts for both; anonymous
        evaluations count as impressions only.
      </Text>
      <table className={classes.table} data-cards>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col" className={classes.share}>
              Share of impressions
            </th>
            <th scope="col" data-number>
              Impressions
            </th>
            <th scope="col" data-number>
              Users
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ value, impressions, unique_users }) => {
            const color = seriesColor(series.values.indexOf(value))
            const share = total_impressions === 0 ? 0 : impressions / total_impressions
            return (
              <tr key={value}>
                <th scope="row">
                  <ReportedValue value={value} color={color} />
                </th>
                <td data-label="Share">
                  <div className={classes.bar}>
                    <div className={classes.track} aria-hidden="true">
                      <div style={{ width: `${share * 100}%`, background: color }} />
                    </div>
                    <span>{formatShare(share)}</span>
                  </div>
                </td>
                <td data-number data-label="Impressions">
                  {formatCount(impressions)}
                </td>
                <td data-number data-label="Users">
                  {formatCount(unique_users)}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {shown.length < variants.length && (
        <Button variant="default" size="xs" mt="sm" onClick={() => setComplete(true)}>
          Show {variants.length - shown.length} more values
        </Button>
      )}
    </Paper>
  )
}
