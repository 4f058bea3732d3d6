import { Button, Group, Text } from '@mantine/core'
import { useDocumentVisibility } from '@mantine/hooks'
import { IconActivity, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '../../../shared/api/api-error.ts'
import { formatCount } from '../../../shared/charts/format-number.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { useUrlState } from '../../../shared/scope/use-url-state.ts'
import { countOf } from '../../../shared/ui/count-of.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import type { StreamFilter } from './read-log.ts'
import { StreamFilters } from './stream-filters.tsx'
import { StreamRows } from './stream-rows.tsx'
import classes from './stream-tab.module.css'
import { useLiveLog } from './use-live-log.ts'

const NO_FILTER: StreamFilter = { flag_key: '', user_id: '', value: '' }
const SNIPPET = "flags.isEnabled('new-checkout', user.id)"

/** Single evaluations as they arrive. */
export function StreamTab() {
  const { environment_id } = useScope()
  const [filter, setFilter] = useUrlState(NO_FILTER)
  const [isPaused, setPaused] = useState(false)
  const isVisible = useDocumentVisibility() === 'visible'
  const { log, error } = useLiveLog(environment_id, filter, !isPaused && isVisible)
  const isFiltered = Object.values(filter).some((text) => text !== '')
  return (
    <>
      <StreamFilters filter={filter} onChange={setFilter} />
      <Group justify="space-between" gap="xs" my="sm" mih={30}>
        <Text size="sm" c="dimmed" className={classes.count}>
          {log ? describeCount(log.total, log.rows.length, isFiltered) : 'Reading'}
          {log !== null && log.missed > 0 && ` ${formatCount(log.missed)} came too fast to be listed.`}
        </Text>
        <Group gap="sm">
          <span className={classes.state} role="status">
            <span
              className={classes.lamp}
              data-live={(!isPaused && error === null) || undefined}
              aria-hidden="true"
            />
            {error === null ? (isPaused ? 'Paused' : 'Live, every 3 s') : `${messageOf(error)} Trying again.`}
          </span>
          <Button
            size="xs"
            variant="default"
            leftSection={isPaused ? <IconPlayerPlay size={15} /> : <IconPlayerPause size={15} />}
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        </Group>
      </Group>
      {log === null && <SkeletonRows rows={10} height={36} />}
      {log !== null && log.rows.length > 0 && <StreamRows log={log} filter={filter} onFilter={setFilter} />}
      {log?.rows.length === 0 && isFiltered && (
        <EmptyState
          icon={<IconActivity size={24} />}
          title="No matching impressions yet"
          action={
            <Button variant="default" size="xs" onClick={() => setFilter(NO_FILTER)}>
              Clear the filters
            </Button>
          }
        >
          The filters match whole texts, capital letters included. New impressions that match appear here
          automatically.
        </EmptyState>
      )}
      {log?.rows.length === 0 && !isFiltered && (
        <EmptyState
          icon={<IconActivity size={24} />}
          title="Waiting for the first impression"
          snippet={SNIPPET}
        >
          Each time your code evaluates a flag, the SDK reports the value. It appears here within seconds.
        </EmptyState>
      )}
    </>
  )
}

function describeCount(total: number, listed: number, isFiltered: boolean): string {
  const what = countOf(total, isFiltered ? 'matching impression' : 'impression')
  return listed < total ? `${what}, the newest ${formatCount(listed)} listed.` : `${what}.`
}
