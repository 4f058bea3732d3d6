import type { Flag, Preferences } from '@burgee/contract'
import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useCallback, useDeferredValue, useMemo, useRef } from 'react'
import { switchQuestion } from '../../../parts/flag-writes/switch-question.ts'
import { useSwitchFlag } from '../../../parts/flag-writes/use-switch-flag.ts'
import { usePreferences } from '../../../shared/preferences/use-preferences.ts'
import { type Permission, usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { useTypedSearch } from '../../../shared/scope/use-typed-search.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import type { Activity } from './activity-by-flag.ts'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { filterFlags, listFlag } from './filter-flags.ts'
import type { FlagFilters } from './flag-filters.ts'
import { FlagTable, type FlagTableHandle } from './flag-table.tsx'
import { FlagToolbar } from './flag-toolbar.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import { type FlagOrder, sortFlags } from './sort-flags.ts'
import { useActivity } from './use-activity.ts'
import { type FlagFilterState, useFlagFilters } from './use-flag-filters.ts'
import { useSelection } from './use-selection.ts'

const NO_FLAGS: readonly Flag[] = []

/** The flags with what narrows, orders and changes them. */
export function FlagBrowser({ flags: loaded }: { readonly flags: readonly Flag[] | undefined }) {
  const flags = loaded ?? NO_FLAGS
  const { project_id, environment_id, environment } = useScope()
  const filters = useFlagFilters()
  const search = useTypedSearch(filters.filters.q, (q) => filters.change({ q }))
  const activity = useActivity(environment_id)
  const { preferences, change: changePreferences } = usePreferences(project_id)
  const favorites = useFavorites(preferences)
  const shown = useShownFlags(flags, filters, { text: search.text, activity, favorites })
  const onFavorite = useCallback(
    (key: string, isFavorite: boolean) =>
      void changePreferences({ favorite_flags: { [key]: isFavorite ? true : null } }),
    [changePreferences],
  )
  const selection = useSelection(shown)
  const table = useRef<FlagTableHandle>(null)
  const maySwitch = useSwitchPermission()
  const onSwitch = useSwitchFlag({ project_id, environment_id })
  const { change } = filters
  const onOrder = useCallback((order: FlagOrder) => change({ order }), [change])
  const clear = () => {
    search.type('')
    filters.clear()
  }
  return (
    <>
      <FlagToolbar
        flags={flags}
        count={loaded ? { shown: shown.length, all: countBeforeFilters(flags, filters.filters) } : null}
        text={search.text}
        onType={search.type}
        onLeave={search.storeNow}
        onEnterList={() => table.current?.enter()}
        filters={filters}
        onClear={clear}
      />
      {!loaded ? (
        <ListSkeleton />
      ) : shown.length === 0 ? (
        <NothingFits onClear={clear} />
      ) : (
        <FlagTable
          handle={table}
          flags={shown}
          project_id={project_id}
          environment_id={environment_id}
          question={switchQuestion(environment)}
          environment={environment}
          activity={activity}
          favorites={favorites}
          onFavorite={onFavorite}
          selected={selection.selected}
          onSelect={selection.select}
          onSelectAll={selection.selectAll}
          order={filters.order}
          onOrder={onOrder}
          maySwitch={maySwitch}
          onSwitch={onSwitch}
        />
      )}
      <BulkBar flags={flags} selected={selection.selected} onClear={selection.clear} />
    </>
  )
}

/** Those that are listed when nothing narrows the list: active ones, archived ones, or all. */
const countBeforeFilters = (flags: readonly Flag[], { archived }: FlagFilters): number =>
  archived === 'all'
    ? flags.length
    : flags.filter(({ archived_at }) => (archived_at !== null) === (archived === 'archived')).length

interface ShownInput {
  readonly text: string
  readonly activity: ReadonlyMap<string, Activity> | undefined
  readonly favorites: ReadonlySet<string>
}

/** The flags that the list shows. Typed text is seen at once. The list follows when there is time for it. */
function useShownFlags(
  flags: readonly Flag[],
  { filters, order }: FlagFilterState,
  { activity, favorites, text }: ShownInput,
): readonly Flag[] {
  const listed = useMemo(() => flags.map(listFlag), [flags])
  // Impressions that arrive later move nothing in an order that does not look at them.
  const sortedBy = order === 'impressions' ? activity : undefined
  const sorted = useMemo(
    () => sortFlags(listed, order, (key) => sortedBy?.get(key)?.total ?? 0),
    [listed, order, sortedBy],
  )
  const q = useDeferredValue(text)
  // A star moves nothing in a list that does not look at stars.
  const among = filters.starred ? favorites : null
  return useMemo(() => {
    const found = filterFlags(sorted, { ...filters, q })
    return among === null ? found : found.filter(({ key }) => among.has(key))
  }, [sorted, filters, q, among])
}

const useFavorites = ({ favorite_flags }: Preferences): ReadonlySet<string> =>
  useMemo(() => new Set(Object.keys(favorite_flags)), [favorite_flags])

/** The same object as long as it states the same, so that rows are not drawn again for it. */
function useSwitchPermission(): Permission {
  const { giverProject, isAllowed, reason } = usePermissions()('patchFlag')
  return useMemo(
    () => ({
      isAllowed,
      ...(reason !== undefined && { reason }),
      ...(giverProject !== undefined && { giverProject }),
    }),
    [giverProject, isAllowed, reason],
  )
}

function NothingFits({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={<IconFilterOff size={22} />}
      title="No flag fits these filters"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      The search looks into key, description, tags and owner. Archived flags are listed under “Archived”.
    </EmptyState>
  )
}
