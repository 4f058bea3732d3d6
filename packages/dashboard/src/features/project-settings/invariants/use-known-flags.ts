import type { Flag } from '@burgee/contract'
import type { FlagType, JsonValue } from '@burgee/evaluation'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { collectAttributes } from '../../../parts/rules/collect-attributes.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'

/** The environments whose flags are read, the default one first. */
const ENVIRONMENTS_MAX = 5

/** The flags of a project, for the fields of an invariant. */
export interface KnownFlags {
  readonly keys: readonly string[]
  /** The attributes that rules name. */
  readonly attributes: readonly string[]
  /** The type of a flag; `json` where the flag is not known. */
  typeOf(key: string): FlagType
  /** The value that a field begins with. */
  valueOf(key: string): JsonValue
}

export function useKnownFlags(): KnownFlags {
  const { environments, project_id } = useScope()
  const inOrder = environments.toSorted((a, b) => Number(b.is_default) - Number(a.is_default))
  const flags = useQueries({
    queries: inOrder.slice(0, ENVIRONMENTS_MAX).map(({ id: env_id }) => ({
      ...endpointQuery('listFlags', { params: { env_id } }),
      enabled: project_id !== '',
    })),
    combine: joinFlags,
  })
  return useMemo(() => {
    const byKey = new Map(flags.toReversed().map((flag) => [flag.key, flag]))
    return {
      keys: [...byKey.keys()].sort(),
      attributes: collectAttributes(flags),
      typeOf: (key) => byKey.get(key)?.flag_type ?? 'json',
      valueOf: (key) => {
        const flag = byKey.get(key)
        // The value was read from JSON.
        return flag && flag.flag_type !== 'boolean' ? (flag.default_value as JsonValue) : true
      },
    }
  }, [flags])
}

const joinFlags = (results: readonly UseQueryResult<Flag[]>[]): readonly Flag[] =>
  results.flatMap(({ data = [] }) => data)
