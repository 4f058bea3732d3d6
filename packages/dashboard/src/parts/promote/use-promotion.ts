import { describeFlagChange, type Environment, type Flag } from '@burgee/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { hasStatus } from '../../shared/api/api-error.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { missingSegments } from './missing-segments.ts'

/** The effects of promoting a flag, as far as they are known by now. */
export interface Promotion {
  /** The target's flag as it is; null where it has none, undefined until that is known. */
  readonly before: Flag | null | undefined
  /** As it would be. */
  readonly after: Flag
  readonly isSame: boolean
  readonly missingSegments: readonly string[]
  /** Flags that have to be on first and that the target lacks. */
  readonly missingPrerequisites: readonly string[]
  readonly error: unknown
}

/** Looks at both environments; `target` is undefined until one is chosen. */
export function usePromotion(
  flag: Flag,
  sourceEnvironmentId: string,
  target: Environment | undefined,
): Promotion {
  const env_id = target?.id ?? ''
  const enabled = target !== undefined
  const present = useQuery({
    ...endpointQuery('getFlag', { params: { env_id, key: flag.key } }),
    enabled,
    staleTime: 0,
  })
  const isMissing = hasStatus(present.error, 404)
  const before = isMissing ? null : present.data
  const segmentsThere = useQuery({ ...endpointQuery('listSegments', { params: { env_id } }), enabled })
  const segmentsHere = useQuery(endpointQuery('listSegments', { params: { env_id: sourceEnvironmentId } }))
  const segments = { source: segmentsHere.data ?? [], target: segmentsThere.data ?? [] }
  const isKnown = segmentsHere.data !== undefined && segmentsThere.data !== undefined
  const after = { ...flag, archived_at: before?.archived_at ?? null, revision: before?.revision ?? 0 }
  return {
    before,
    after,
    isSame: !!before && describeFlagChange(before, after).length === 0,
    missingSegments: isKnown ? missingSegments(flag.rules, segments) : [],
    missingPrerequisites: useMissingFlags(flag, target),
    error: (!isMissing && present.error) || segmentsThere.error || segmentsHere.error,
  }
}

function useMissingFlags(flag: Flag, target: Environment | undefined): string[] {
  const keys = [...new Set(flag.prerequisites.map(({ flag_key }) => flag_key))]
  const responses = useQueries({
    queries: keys.map((key) => ({
      ...endpointQuery('getFlag', { params: { env_id: target?.id ?? '', key } }),
      enabled: target !== undefined,
    })),
  })
  return keys.filter((_key, index) => hasStatus(responses[index]?.error, 404))
}
