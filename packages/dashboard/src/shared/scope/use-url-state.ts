import { useNavigate, useSearch } from '@tanstack/react-router'

/** Fields of the address's query, each with what it means where it is absent. */
type Defaults = Readonly<Record<string, string>>
type State<D extends Defaults> = { readonly [K in keyof D]: string }

/**
 * Filters and tabs live in the address, so that a reload, a bookmark and the back button keep them. `set`
 * changes some fields and leaves the others. A field at its default is left out. `replace` (the default)
 * adds no step to the history.
 */
export function useUrlState<const D extends Defaults>(defaults: D) {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const entries = Object.entries(defaults).map(([key, fallback]) => {
    const value = search[key]
    return [key, typeof value === 'string' ? value : fallback]
  })
  const state = Object.fromEntries(entries) as State<D>
  const set = (changes: Partial<State<D>>, { replace = true }: { readonly replace?: boolean } = {}) =>
    void navigate({
      to: '.',
      replace,
      search: (before: Readonly<Record<string, unknown>>) => {
        const after: Record<string, unknown> = { ...before, ...changes }
        for (const key of Object.keys(changes)) {
          if (after[key] === defaults[key] || after[key] === undefined) delete after[key]
        }
        return after
      },
    })
  return [state, set] as const
}
