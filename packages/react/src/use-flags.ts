import type {
  DehydratedFlags,
  Evaluation,
  FallbackOf,
  FlagKey,
  GoalDetail,
  JsonValue,
  UserFlags,
  ValueOf,
  VariantOf,
} from '@burgee/sdk'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useProvided } from './flags-context.ts'
import { evaluateRendered } from './rendered-results.ts'

/** Returns whether a boolean flag is true, and whether any other flag is enabled. False if it is unknown. */
export const useFlag = (flagKey: FlagKey): boolean =>
  useResult(
    (flags) => flags.isEnabled(flagKey),
    (rendered) => evaluateRendered(rendered, flagKey).enabled,
  )

/** Returns the flag's value, or `fallback` (or else null) when the flag is unknown or has no value. */
export function useVariant<Key extends FlagKey>(flagKey: Key): ValueOf<Key> | null
export function useVariant<Key extends FlagKey, Fallback extends FallbackOf<Key>>(
  flagKey: Key,
  fallback: Fallback,
): VariantOf<Key, Fallback>
export function useVariant(flagKey: FlagKey, fallback: unknown = null): unknown {
  const value = useResult(
    // Every flag has a JSON value, whatever type the program gives it.
    (flags) => flags.getVariant(flagKey) as JsonValue,
    (rendered) => evaluateRendered(rendered, flagKey).value,
  )
  return value ?? fallback
}

/** Returns the value with its reason. It is the same object until the result or `fallback` changes. */
export function useEvaluation(flagKey: string, fallback: JsonValue = null): Evaluation {
  const evaluation = useResult(
    (flags) => flags.evaluate(flagKey),
    (rendered) => evaluateRendered(rendered, flagKey),
  )
  return useMemo(
    () => (evaluation.value === null && fallback !== null ? { ...evaluation, value: fallback } : evaluation),
    [evaluation, fallback],
  )
}

/** Returns a function that reports a goal of the user. It is the same function until the user changes. */
export function useTrack(): (eventKey: string, detail?: GoalDetail) => void {
  const { flags } = useProvided()
  return useCallback((eventKey, detail) => flags.track(eventKey, detail), [flags])
}

/**
 * Reads a result that is the same until it changes. On the server, and while its page hydrates in the
 * browser, it reads what the server rendered, so that both have the same contents.
 */
function useResult<Result>(
  read: (flags: UserFlags) => Result,
  readRendered: (rendered: DehydratedFlags) => Result,
): Result {
  const { flags, rendered } = useProvided()
  const subscribe = useCallback((listener: () => void) => flags.on('update', listener), [flags])
  return useSyncExternalStore(
    subscribe,
    () => read(flags),
    () => (rendered ? readRendered(rendered) : read(flags)),
  )
}
