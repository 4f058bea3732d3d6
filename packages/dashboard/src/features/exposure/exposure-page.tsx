import { EXPOSURE_DAYS_DEFAULT, EXPOSURE_DAYS_MAX, KEY_MAX_LENGTH } from '@burgee/contract'
import { Box, Group, SegmentedControl, Text } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { FlagPicker } from '../../parts/flag-picker/flag-picker.tsx'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { FlagExposure } from './flag-exposure.tsx'

const SPANS = [7, EXPOSURE_DAYS_DEFAULT, 30, EXPOSURE_DAYS_MAX].map((days) => ({
  value: String(days),
  label: `${days} days`,
}))

/**
 * The users who saw one flag, and their values. Without a flag in the address, it shows the flag that is seen
 * most.
 */
export function ExposurePage() {
  const { environment_id: env_id } = useScope()
  const [url, setUrl] = useUrlState({ flag_key: '', days: String(EXPOSURE_DAYS_DEFAULT), view: 'chart' })
  const stats = useQuery(endpointQuery('getImpressionStats', { params: { env_id } }))
  const seen = stats.data ?? []
  const [most] = [...seen].sort((one, other) => other.total - one.total)
  const flag_key = (url.flag_key || most?.flag_key) ?? ''
  const days = SPANS.some(({ value }) => value === url.days) ? Number(url.days) : EXPOSURE_DAYS_DEFAULT
  return (
    <Page title="Exposure" description="How many users saw which value of a flag">
      <Group gap="md" align="flex-end" justify="space-between" mb="md">
        <Box flex="1 1 260px" maw={420}>
          <FlagPicker
            env_id={env_id}
            label="Flag"
            value={flag_key}
            further={seen.map((flag) => flag.flag_key)}
            onChange={(key) => setUrl({ flag_key: key }, { replace: false })}
          />
        </Box>
        <SegmentedControl
          size="xs"
          data={SPANS}
          value={String(days)}
          onChange={(value) => setUrl({ days: value })}
          aria-label="Days of the timeline"
        />
      </Group>
      {flag_key === '' && stats.isPending && <SkeletonRows rows={6} height={72} />}
      {flag_key === '' && stats.isError && (
        <Failure
          error={stats.error}
          title="The flags that were seen could not be loaded"
          onRetry={() => void stats.refetch()}
        />
      )}
      {flag_key === '' && stats.isSuccess && (
        <EmptyState
          icon={<IconEye size={24} />}
          title="No users have seen a flag yet"
          snippet="flags.isEnabled('new-checkout', user.id)"
        >
          Once your code evaluates a flag, this page counts which users got which value, day by day.
        </EmptyState>
      )}
      {flag_key.length > KEY_MAX_LENGTH && (
        <Text size="sm">No flag has a key as long as this one. Choose another.</Text>
      )}
      {flag_key !== '' && flag_key.length <= KEY_MAX_LENGTH && (
        <FlagExposure
          // The numbers of one flag are never shown under the name of another while those are loading.
          key={`${env_id} ${flag_key}`}
          flag_key={flag_key}
          days={days}
          view={url.view === 'table' ? 'table' : 'chart'}
          onView={(view) => setUrl({ view })}
        />
      )}
    </Page>
  )
}
