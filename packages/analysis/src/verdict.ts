import type { Given, Witness } from './confirm.ts'

/** The decision on a condition that every user has to meet. */
export type Verdict =
  | { readonly verdict: 'holds' }
  | { readonly verdict: 'violated'; readonly given: Given; readonly user: Witness }
  | { readonly verdict: 'undecided'; readonly why: string }

export const TOO_MANY_PATHS = { verdict: 'undecided', why: 'the rules have too many paths' } as const
export const NO_USER = { verdict: 'undecided', why: 'no user was found for a path' } as const

/** Returns the decision where no violation was found. */
export function decided<Held>(
  incomplete: readonly string[],
  isOpen: boolean,
  held: Held,
): Held | { readonly verdict: 'undecided'; readonly why: string } {
  if (incomplete.length > 0)
    return { verdict: 'undecided', why: `the values of ${incomplete.join(', ')} cannot all be listed` }
  return isOpen ? NO_USER : held
}
