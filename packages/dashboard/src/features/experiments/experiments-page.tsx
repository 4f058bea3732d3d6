import { Button, Group, SegmentedControl } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFlask, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { Gated } from '../../shared/ui/gated.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { CreateExperimentDialog } from './create-experiment-dialog.tsx'
import { ExperimentTable } from './experiment-table.tsx'
import { findExperiments } from './find-experiments.ts'
import { formatExperimentSnippet } from './format-experiment-snippet.ts'

const STATUSES = [
  { value: 'all', label: 'All' },
  { value: 'running', label: 'Running' },
  { value: 'paused', label: 'Paused' },
  { value: 'completed', label: 'Completed' },
]

export function ExperimentsPage() {
  const { environment_id } = useScope()
  const permission = usePermissions()('createExperiment')
  const [isOpen, { open, close }] = useDisclosure(false)
  const [filter, setFilter] = useUrlState({ q: '', status: 'all' })
  const experiments = useQuery(endpointQuery('listExperiments', { params: { env_id: environment_id } }))
  const found = findExperiments(experiments.data ?? [], filter)
  const create = (
    <Gated permission={permission}>
      <Button size="sm" leftSection={<IconPlus size={16} />} onClick={open}>
        Create experiment
      </Button>
    </Gated>
  )
  const isEmpty = experiments.data?.length === 0
  return (
    <Page
      title="Experiments"
      description="Which value of a flag makes more users reach a goal"
      actions={isEmpty ? null : create}
    >
      {!isEmpty && (
        <Group gap="sm" mb="md">
          <SearchField
            label="Search experiments"
            placeholder="Search by name, flag or goal"
            value={filter.q}
            onChange={(q) => setFilter({ q })}
          />
          <SegmentedControl
            size="xs"
            data={STATUSES}
            value={filter.status}
            onChange={(status) => setFilter({ status })}
            aria-label="Status"
          />
        </Group>
      )}
      {experiments.isPending && <SkeletonRows rows={5} height={56} />}
      {experiments.isError && (
        <Failure
          title="The experiments could not be loaded"
          error={experiments.error}
          onRetry={() => void experiments.refetch()}
        />
      )}
      {isEmpty && (
        <EmptyState
          icon={<IconFlask size={24} />}
          title="Find out what works better"
          snippet={formatExperimentSnippet()}
          action={create}
        >
          An experiment compares the values of a flag on one goal. Your code evaluates the flag and tracks the
          goal with the same user key; Burgee counts who reached it.
        </EmptyState>
      )}
      {experiments.data && !isEmpty && (
        <ExperimentTable experiments={found} onClear={() => setFilter({ q: '', status: 'all' })} />
      )}
      <CreateExperimentDialog isOpen={isOpen} onClose={close} />
    </Page>
  )
}
