import { describeFlagChange, type Environment, type Flag } from '@burgee/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { hasStatus } from '../api/api-error.ts'
import { endpointQuery } from '../api/queries.ts'
import { missingSegments } from './missing-segments.ts'

/** What promoting a flag would do, as far as it is known by now. */
export interface Promotion {
  /** The target's flag as it is; null where it has none, undefined until that is known. */
  readonly before: Flag | null | undefined
  /** As it would be. */
  readonly after: Flag
  readonly is_same: boolean
  readonly missing_segments: readonly string[]
  /** Flags that have to be on first and that the target lacks. */
  readonly missing_prerequisites: readonly string[]
  readonly error: unknown
}

/** Looks at both environments; `target` is undefined until one is chosen. */
export function usePromotion(
  flag: Flag,
  source_environment_id: string,
  target: Environment | undefined,
): Promotion {
  const env_id = target?.id ?? ''
  const enabled = target !== undefined
  const present = useQuery({
    ...endpointQuery('getFlag', { params: { env_id, key: flag.key } }),
    enabled,
    staleTime: 0,
  })
  const is_missing = hasStatus(present.error, 404)
  const before = is_missing ? null : present.data
  const segments_there = useQuery({ ...endpointQuery('listSegments', { params: { env_id } }), enabled })
  const segments_here = useQuery(endpointQuery('listSegments', { params: { env_id: source_environment_id } }))
  const segments = { source: segments_here.data ?? [], target: segments_there.data ?? [] }
  const is_known = segments_here.data !== undefined && segments_there.data !== undefined
  const after = { ...flag, archived_at: before?.archived_at ?? null, revision: before?.revision ?? 0 }
  return {
    before,
    after,
    is_same: !!before && describeFlagChange(before, after).length === 0,
    missing_segments: is_known ? missingSegments(flag.rules, segments) : [],
    missing_prerequisites: useMissingFlags(flag, target),
    error: (!is_missing && present.error) || segments_there.error || segments_here.error,
  }
}

function useMissingFlags(flag: Flag, target: Environment | undefined): string[] {
  const keys = [...new Set(flag.prerequisites.map(({ flag_key }) => flag_key))]
  const answers = useQueries({
    queries: keys.map((key) => ({
      ...endpointQuery('getFlag', { params: { env_id: target?.id ?? '', key } }),
      enabled: target !== undefined,
    })),
  })
  return keys.filter((_key, index) => hasStatus(answers[index]?.error, 404))
}
