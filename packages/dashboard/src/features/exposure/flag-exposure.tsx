import { Group, Paper, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { filteredQuery } from '../../shared/api/queries.ts'
import { lastDays } from '../../shared/charts/last-days.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { CHART_PX } from './chart-height.ts'
import { toExposureSeries } from './exposure-series.ts'
import { TimelineTable } from './timeline-table.tsx'
import { VariantShares } from './variant-shares.tsx'

const REFRESH_MS = 30_000
/** Begun with the page, so that the chart does not wait for its numbers before it is loaded. */
const chart = import('./timeline-chart.tsx')
const TimelineChart = lazy(() => chart.then(({ TimelineChart: component }) => ({ default: component })))

interface FlagExposureProps {
  readonly flag_key: string
  readonly days: number
  readonly view: 'chart' | 'table'
  readonly onView: (view: string) => void
}

export function FlagExposure({ flag_key, days, view, onView }: FlagExposureProps) {
  const { environment_id: env_id } = useScope()
  const exposure = useQuery({
    ...filteredQuery('getExposure', { params: { env_id }, query: { flag_key, days } }),
    refetchInterval: REFRESH_MS,
  })
  if (exposure.isPending) return <SkeletonRows rows={6} height={72} />
  const failure = exposure.isError && (
    <Failure
      title="The exposure could not be loaded"
      error={exposure.error}
      onRetry={() => void exposure.refetch()}
    />
  )
  if (!exposure.data) return failure || null
  if (exposure.data.total_impressions === 0) {
    return (
      <EmptyState
        icon={<IconEye size={24} />}
        title={`No users have seen ${flag_key} yet`}
        snippet={`flags.getVariant('${flag_key}', user.id)`}
      >
        When your code evaluates this flag, the value that each user got is counted here.
      </EmptyState>
    )
  }
  const series = toExposureSeries(exposure.data, lastDays(days, Date.now()))
  return (
    <Stack gap="md" aria-busy={exposure.isPlaceholderData} opacity={exposure.isPlaceholderData ? 0.5 : 1}>
      {failure}
      <Paper component="section" withBorder radius="md" p="md" aria-labelledby="timeline">
        <Group justify="space-between" mb="sm">
          <div>
            <Title order={2} size="h5" id="timeline">
              Impressions by day
            </Title>
            <Text size="xs" c="dimmed">
              The last {days} days, UTC
            </Text>
          </div>
          <SegmentedControl
            size="xs"
            data={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
            value={view}
            onChange={onView}
            aria-label="Show as"
          />
        </Group>
        {view === 'table' ? (
          <TimelineTable series={series} />
        ) : (
          <Suspense fallback={<Skeleton height={CHART_PX} />}>
            <TimelineChart flag_key={flag_key} series={series} />
          </Suspense>
        )}
      </Paper>
      <VariantShares exposure={exposure.data} series={series} />
    </Stack>
  )
}
