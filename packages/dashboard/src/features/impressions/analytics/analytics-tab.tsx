import { EXPOSURE_DAYS_DEFAULT } from '@burgee/contract'
import { Button, Group, Paper, Text } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { formatCount } from '../../../shared/charts/format-number.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { useUrlState } from '../../../shared/scope/use-url-state.ts'
import { countOf } from '../../../shared/ui/count-of.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { SearchField } from '../../../shared/ui/search-field.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { isSortField, sortStats } from './sort-stats.ts'
import { StatsTable } from './stats-table.tsx'

const REFRESH_MS = 30_000
/** Rows that are shown at first, and that each press of the button adds. */
const ROWS = 100
const SNIPPET = "flags.isEnabled('new-checkout', user.id)"

/** Each flag's impressions in numbers. */
export function AnalyticsTab() {
  const { environment_id: env_id } = useScope()
  const [{ q, sort, order }, setUrl] = useUrlState({ q: '', sort: 'total', order: 'first' })
  const [shown, setShown] = useState(ROWS)
  const stats = useQuery({
    ...endpointQuery('getImpressionStats', { params: { env_id } }),
    refetchInterval: REFRESH_MS,
  })
  const activity = useQuery(
    endpointQuery('getImpressionActivity', { params: { env_id }, query: { days: EXPOSURE_DAYS_DEFAULT } }),
  )
  if (stats.isPending) return <SkeletonRows rows={8} height={44} />
  const failure = stats.isError && (
    <Failure
      title="The numbers could not be loaded"
      error={stats.error}
      onRetry={() => void stats.refetch()}
    />
  )
  if (!stats.data) return failure || null
  if (stats.data.length === 0) {
    return (
      <EmptyState icon={<IconChartBar size={24} />} title="No impressions yet" snippet={SNIPPET}>
        Each time your code evaluates a flag, the SDK reports the value. Evaluate one, and it is counted here.
      </EmptyState>
    )
  }
  const sorting = {
    sort: isSortField(sort) ? sort : 'total',
    order: order === 'reversed' ? order : 'first',
  } as const
  const found = sortStats(stats.data, { q, ...sorting })
  const total = stats.data.reduce((sum, { total: count }) => sum + count, 0)
  return (
    <>
      {failure}
      <Group gap="sm" my="md" justify="space-between">
        <SearchField
          label="Search flags"
          placeholder="Search flags"
          value={q}
          onChange={(text) => setUrl({ q: text })}
        />
        <Text size="sm" c="dimmed" role="status">
          {countOf(total, 'impression')} of {countOf(stats.data.length, 'flag')}
          {q !== '' && `, ${formatCount(found.length)} found`}
        </Text>
      </Group>
      {found.length === 0 ? (
        <Paper withBorder p="xl" radius="md" ta="center">
          <Text size="sm" c="dimmed" mb="xs">
            No flag with impressions has this in its key.
          </Text>
          <Button variant="default" size="xs" onClick={() => setUrl({ q: '' })}>
            Clear the search
          </Button>
        </Paper>
      ) : (
        <StatsTable
          stats={found.slice(0, shown)}
          activity={activity.data}
          hasActivity={!activity.isError}
          sorting={sorting}
          onSort={(next) => setUrl(next)}
        />
      )}
      {found.length > shown && (
        <Group justify="center" mt="md">
          <Button variant="default" size="xs" onClick={() => setShown(shown + ROWS)}>
            Show {Math.min(ROWS, found.length - shown)} more of {formatCount(found.length - shown)}
          </Button>
        </Group>
      )}
    </>
  )
}
