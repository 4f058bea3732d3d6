import { IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { hasStatus } from '../../shared/api/api-error.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { ButtonLink } from '../../shared/ui/links.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { SegmentEditor } from './segment-editor.tsx'

/** One segment: who is in it, and what uses it. */
export function SegmentPage() {
  const { segment_key: key = '' } = useParams({ strict: false })
  const { environment_id } = useScope()
  const segment = useQuery(endpointQuery('getSegment', { params: { env_id: environment_id, key } }))
  // Rules name other segments: until these are known, each would look unknown.
  const segments = useQuery(endpointQuery('listSegments', { params: { env_id: environment_id } }))
  if (segment.data && !segments.isPending) {
    return <SegmentEditor key={segment.data.id} segment={segment.data} />
  }
  if (hasStatus(segment.error, 404)) return <NoSegment segment_key={key} />
  return (
    <Page title={key}>
      {segment.isError ? (
        <Failure
          title="The segment could not be loaded"
          error={segment.error}
          onRetry={() => void segment.refetch()}
        />
      ) : (
        <SkeletonRows rows={6} height={56} />
      )}
    </Page>
  )
}

function NoSegment({ segment_key }: { readonly segment_key: string }) {
  const { project_id, environment_id, environment } = useScope()
  return (
    <Page title={segment_key}>
      <EmptyState
        icon={<IconUsersGroup size={22} />}
        title="There is no such segment here"
        action={
          <ButtonLink
            to="/projects/$project_id/environments/$environment_id/segments"
            params={{ project_id, environment_id }}
            variant="default"
          >
            All segments
          </ButtonLink>
        }
      >
        {environment?.name ?? 'This environment'} has no segment with this key. It may have been deleted or
        renamed, or it belongs to another environment.
      </EmptyState>
    </Page>
  )
}
