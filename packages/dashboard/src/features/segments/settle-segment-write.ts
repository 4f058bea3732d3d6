import type { QueryClient } from '@tanstack/react-query'
import { refresh } from '../../shared/api/queries.ts'

/** Has everything read again that a segment's change reaches; gives when the segments are there. */
export async function settleSegmentWrite(client: QueryClient): Promise<void> {
  void refresh(client, 'listFlags', 'getFlag', 'getFlagHistory', 'listEnvironmentAudit', 'listProjectAudit')
  await refresh(client, 'listSegments', 'getSegment')
}
