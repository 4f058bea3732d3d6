import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
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
import { countFlagsBySegment } from './count-flags-by-segment.ts'
import { CreateSegmentDialog } from './create-segment-dialog.tsx'
import { SegmentsTable } from './segments-table.tsx'

/** Named groups of users of one environment, for rules of many flags. */
export function SegmentsPage() {
  const { environment_id, environment } = useScope()
  const permission = usePermissions()('createSegment')
  const [isCreating, { open, close }] = useDisclosure(false)
  const create = (
    <Gated permission={permission}>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Create segment
      </Button>
    </Gated>
  )
  return (
    <Page
      title="Segments"
      description={`Groups of users that flags in ${environment?.name ?? 'this environment'} share`}
      actions={create}
    >
      <SegmentList env_id={environment_id} create={create} />
      <CreateSegmentDialog isOpen={isCreating} onClose={close} />
    </Page>
  )
}

interface SegmentListProps {
  readonly env_id: string
  readonly create: React.ReactNode
}

function SegmentList({ env_id, create }: SegmentListProps) {
  const [{ q }, setFilter] = useUrlState({ q: '' })
  const segments = useQuery(endpointQuery('listSegments', { params: { env_id } }))
  const flags = useQuery(endpointQuery('listFlags', { params: { env_id } }))
  const counts = useMemo(
    () => (flags.data && segments.data ? countFlagsBySegment(flags.data, segments.data) : null),
    [flags.data, segments.data],
  )
  if (segments.isLoadingError) {
    return (
      <Failure
        title="The segments could not be loaded"
        error={segments.error}
        onRetry={() => void segments.refetch()}
      />
    )
  }
  if (!segments.data) return <SkeletonRows rows={6} height={56} />
  if (segments.data.length === 0) return <NoSegments create={create} />
  const wanted = q.trim().toLowerCase()
  const found = segments.data.filter((segment) =>
    [segment.name, segment.key, segment.description ?? ''].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  )
  return (
    <>
      <Group mb="sm">
        <SearchField
          label="Search segments"
          placeholder="Search by name, key or description"
          value={q}
          onChange={(text) => setFilter({ q: text })}
        />
      </Group>
      <SegmentsTable segments={found} counts={counts} isFiltered={wanted !== ''} />
    </>
  )
}

const SNIPPET = `{
  "name": "Beta testers",
  "key": "beta-testers",
  "rules": [{ "attribute": "email", "operator": "ends_with", "values": ["@example.com"] }]
}`

function NoSegments({ create }: { readonly create: React.ReactNode }) {
  return (
    <EmptyState icon={<IconUsersGroup size={22} />} title="No segments yet" snippet={SNIPPET} action={create}>
      A segment names a group of users once: beta testers, staff, customers in one country. Flags refer to it
      in their rules, and when the segment changes, every flag that uses it follows at once.
    </EmptyState>
  )
}
