import type { Environment, FlagComparison } from '@burgee/contract'
import { useQueries } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'
import { endpointKey } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'

/** The comparison of one flag, with the behaviour for every possible user. */
export type Behaviour = FlagComparison['flags'][number]

/** Returns the comparison of a flag with the source; undefined while it is not there, or not requested. */
export type BehaviourOf = (flag_key: string, environment_id: string) => Behaviour | undefined

interface Comparing {
  readonly source: Environment | undefined
  readonly targets: readonly Environment[]
  /** Another one whenever flags have changed: a comparison of before would be wrong. */
  readonly version: string
}

/** Requests from the server whether flags give every possible user the same as in the source. */
export function useBehaviours({ source, targets, version }: Comparing): {
  readonly behaviourOf: BehaviourOf
  readonly isReading: boolean
} {
  const { project_id } = useScope()
  const others = source ? targets.filter(({ id }) => id !== source.id) : []
  return useQueries({
    queries: others.map(({ id }) => {
      const query = { source: source?.id ?? '', target: id, behaviour: true }
      const input = { params: { project_id }, query }
      return {
        queryKey: [...endpointKey('compareFlags', input), version],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => call('compareFlags', input, { signal }),
        retry: false,
      }
    }),
    combine: (results) => {
      const found = new Map(
        others.map(({ id }, index) => [
          id,
          new Map(results[index]?.data?.flags.map((one) => [one.key, one])),
        ]),
      )
      return {
        behaviourOf: (flag_key: string, environment_id: string) => found.get(environment_id)?.get(flag_key),
        isReading: results.some(({ isFetching }) => isFetching),
      }
    },
  })
}
