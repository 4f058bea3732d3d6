import { EXPOSURE_DAYS_DEFAULT, type FlagActivity, type ImpressionStats } from '@burgee/contract'
import { Paper } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { lastDays } from '../../../shared/charts/last-days.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { useDeleteReports } from '../deleting/use-delete-reports.tsx'
import type { SortField, SortOrder } from './sort-stats.ts'
import { StatsRow } from './stats-row.tsx'
import classes from './stats-table.module.css'

interface Sorting {
  readonly sort: SortField
  readonly order: SortOrder
}

interface StatsTableProps {
  readonly stats: readonly ImpressionStats[]
  /** Undefined until it is there. */
  readonly activity: readonly FlagActivity[] | undefined
  /** True if the activity is there or still to come. */
  readonly hasActivity: boolean
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
}

export function StatsTable({ stats, activity, hasActivity, sorting, onSort }: StatsTableProps) {
  const { environment_id: env_id } = useScope()
  const { ask, permission } = useDeleteReports()
  const flags = useQuery(endpointQuery('listFlags', { params: { env_id } }))
  const known = flags.data && new Set(flags.data.map(({ key }) => key))
  const days = lastDays(EXPOSURE_DAYS_DEFAULT, Date.now())
  const daysOf = new Map(activity?.map((flag) => [flag.flag_key, flag.days]))
  const head = { sorting, onSort }
  return (
    <Paper withBorder radius="md" className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            <SortHead {...head} field="flag_key" label="Flag" />
            <SortHead {...head} field="total" label="Impressions" isNumber />
            <th scope="col">True and false</th>
            <SortHead {...head} field="unique_users" label="Users" isNumber />
            <th scope="col">Last {EXPOSURE_DAYS_DEFAULT} days</th>
            <SortHead {...head} field="last_seen" label="Last seen" />
            <th scope="col">
              <span className={classes.unseen}>Exposure</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {stats.map((row) => {
            const counts = new Map(daysOf.get(row.flag_key)?.map(({ day, count }) => [day, count]))
            return (
              <StatsRow
                key={row.flag_key}
                stats={row}
                counts={activity && days.map((day) => counts.get(day) ?? 0)}
                hasCounts={hasActivity || activity !== undefined}
                isKnown={known?.has(row.flag_key) ?? true}
                onDelete={
                  permission.isAllowed ? () => ask({ kind: 'flag_key', name: row.flag_key }) : undefined
                }
              />
            )
          })}
        </tbody>
      </table>
    </Paper>
  )
}

interface SortHeadProps {
  readonly field: SortField
  readonly label: string
  readonly isNumber?: boolean
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
}

function SortHead({ field, label, isNumber = false, sorting, onSort }: SortHeadProps) {
  const isSorted = sorting.sort === field
  const isReversed = sorting.order === 'reversed'
  // Keys begin with A, everything else with the greatest.
  const isAscending = (field === 'flag_key') !== isReversed
  return (
    <th
      scope="col"
      data-number={isNumber || undefined}
      aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'}
    >
      <button
        type="button"
        className={classes.sort}
        onClick={() => onSort({ sort: field, order: isSorted && !isReversed ? 'reversed' : 'first' })}
      >
        {label}
        {isSorted && (isAscending ? <IconArrowUp size={13} /> : <IconArrowDown size={13} />)}
      </button>
    </th>
  )
}
