import type { Flag, Segment } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { endpointQuery } from '../../shared/api/queries.ts'
import { readStreamFlags } from './read-stream-flags.ts'

const NO_FLAGS: readonly Flag[] = []
const NO_SEGMENTS: readonly Segment[] = []

/**
 * The environment's flags twice: as people wrote them and, with segments expanded, as SDKs evaluate them.
 * Both are read again when one of the flags changes or on request.
 */
export function useExpandedFlags(env_id: string) {
  const own = useQuery(endpointQuery('listFlags', { params: { env_id } }))
  const segments = useQuery(endpointQuery('listSegments', { params: { env_id } }))
  const expanded = useQuery({
    queryKey: ['expanded-flags', env_id],
    queryFn: ({ signal }) => readStreamFlags(env_id, signal),
    // The change of a segment is not streamed: coming back to the page reads again.
    staleTime: 0,
  })
  const { refetch, dataUpdatedAt } = expanded
  const writtenAt = own.dataUpdatedAt
  const seenAt = useRef(writtenAt)
  useEffect(() => {
    if (seenAt.current > 0 && writtenAt > seenAt.current) void refetch()
    seenAt.current = writtenAt
  }, [writtenAt, refetch])
  return {
    /** Undefined until they are there. */
    flags: expanded.data,
    ownFlags: own.data ?? NO_FLAGS,
    segments: segments.data ?? NO_SEGMENTS,
    error: expanded.error,
    isReading: expanded.isFetching,
    readAt: dataUpdatedAt,
    reload: () => void Promise.all([own.refetch(), segments.refetch(), refetch()]),
  }
}
