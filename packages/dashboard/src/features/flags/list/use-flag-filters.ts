import { useCallback, useMemo } from 'react'
import { useUrlState } from '../../../shared/scope/use-url-state.ts'
import { FILTER_DEFAULTS, type FlagFilters, readFilters, writeTags } from './flag-filters.ts'
import { readQuery, writeQuery } from './saved/filter-query.ts'
import { type FlagOrder, readOrder } from './sort-flags.ts'

export interface FlagFilterState {
  readonly filters: FlagFilters
  readonly order: FlagOrder
  readonly change: (changes: Partial<FlagFilters> & { readonly order?: FlagOrder }) => void
  readonly clear: () => void
  /** The filters and the order as text, to be stored; empty where nothing narrows the list. */
  readonly query: string
  /** Replaces all by those of a stored text. */
  readonly apply: (query: string) => void
}

/** Filters and order of the list, kept in the address. */
export function useFlagFilters(): FlagFilterState {
  const [fields, set] = useUrlState({ ...FILTER_DEFAULTS, sort: 'key' })
  const { q, tags, owner, state, type, archived, starred, sort } = fields
  const filters = useMemo(
    () => readFilters({ q, tags, owner, state, type, archived, starred }),
    [q, tags, owner, state, type, archived, starred],
  )
  // The function stays the same whatever the address states, so that a component that has it is not drawn
  // again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is read when it is called
  const change = useCallback<FlagFilterState['change']>(
    ({ order, tags: changedTags, owner, state, type, starred: onlyStarred, ...changes }) =>
      set({
        ...changes,
        ...(order && { sort: order }),
        ...(changedTags && { tags: writeTags(changedTags) }),
        ...(owner !== undefined && { owner: owner ?? '' }),
        ...(state !== undefined && { state: state ?? '' }),
        ...(type !== undefined && { type: type ?? '' }),
        ...(onlyStarred !== undefined && { starred: onlyStarred ? 'yes' : '' }),
      }),
    [],
  )
  return {
    filters,
    order: readOrder(sort),
    change,
    clear: () => set(FILTER_DEFAULTS),
    query: writeQuery(fields),
    apply: (query) => set(readQuery(query)),
  }
}
