import type { StaleFlag } from '@burgee/contract'
import { assessFlag, type FlagFacts, type Window } from './assess-flag.ts'

/** The flags between two yields. */
const FLAGS_A_STEP = 100

/** Assesses flags, with a yield after some of them. */
export function* assessAll(facts: readonly FlagFacts[], window: Window): Generator<void, StaleFlag[]> {
  const assessed: StaleFlag[] = []
  for (const [at, one] of facts.entries()) {
    if (at % FLAGS_A_STEP === 0 || hasLargeValue(one)) yield
    assessed.push(assessFlag(one, window))
  }
  return assessed
}

/** Returns whether a proved value may take long to be written as text. */
const hasLargeValue = ({ environments }: FlagFacts): boolean =>
  environments.some(({ constant }) => {
    const value = constant?.value ?? null
    return typeof value === 'string'
      ? value.length > LARGE_CHARS
      : typeof value === 'object' && value !== null
  })
const LARGE_CHARS = 10_000

type IsReadable = (environment_id: string) => boolean

/** Leaves out evidence of environments that the caller may not read. */
export const hideUnreadable = (assessed: StaleFlag, isReadable: IsReadable): StaleFlag => ({
  ...assessed,
  evidence: assessed.evidence.filter(
    ({ environment_id }) => environment_id === undefined || isReadable(environment_id),
  ),
})

/** Returns the flags with evidence that the caller may read, with a yield after some of them. */
export function* keepReadable(
  flags: readonly StaleFlag[],
  isReadable: IsReadable,
): Generator<void, StaleFlag[]> {
  const known = new Map<string, boolean>()
  const isKnownReadable = (id: string): boolean => {
    const is = known.get(id) ?? isReadable(id)
    known.set(id, is)
    return is
  }
  const kept: StaleFlag[] = []
  for (const [at, one] of flags.entries()) {
    if (at % FLAGS_A_STEP === 0) yield
    const shown = hideUnreadable(one, isKnownReadable)
    if (shown.evidence.length > 0) kept.push(shown)
  }
  return kept
}
