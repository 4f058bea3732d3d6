import { useUrlState } from '../../shared/scope/use-url-state.ts'

export interface Moment {
  /** ISO-8601, or null for now. */
  readonly at: string | null
  readonly setAt: (at: string | null) => void
}

/** The past moment that the page evaluates, kept in the address. */
export function useMoment(): Moment {
  const [{ as_of }, set] = useUrlState({ as_of: '' })
  const time = Date.parse(as_of)
  return {
    at: Number.isNaN(time) ? null : new Date(time).toISOString(),
    setAt: (at) => set({ as_of: at ?? '' }),
  }
}
