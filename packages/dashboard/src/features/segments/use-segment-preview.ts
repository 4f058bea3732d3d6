import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../shared/api/call.ts'
import { problemsOf } from './problems-of.ts'
import { patchOf } from './segment-draft.ts'
import type { EditedSegment } from './use-segment-draft.ts'

/**
 * Reads the effects that saving the draft would have. `onProblems` gets the problems of a draft that the
 * server would refuse, by JSON pointer.
 */
export function useSegmentPreview(
  { base, draft }: EditedSegment,
  onProblems: (problems: Readonly<Record<string, string>>) => void,
) {
  const { environment_id: env_id, key } = base
  const patch = patchOf(base, draft)
  const preview = useQuery({
    queryKey: ['previewSegment', env_id, key, patch],
    queryFn: ({ signal }) => call('previewSegment', { params: { env_id }, body: { key, patch } }, { signal }),
    gcTime: 0,
    retry: false,
  })
  const { error } = preview
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response is shown at the fields once
  useEffect(() => {
    if (error !== null) onProblems(problemsOf(error))
  }, [error])
  return preview
}
