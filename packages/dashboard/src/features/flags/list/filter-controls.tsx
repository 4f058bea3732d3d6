import type { Flag } from '@burgee/contract'
import { FLAG_TYPES } from '@burgee/evaluation'
import { MultiSelect, Select } from '@mantine/core'
import { memo, useMemo } from 'react'
import { type FlagFilters, readFilters } from './flag-filters.ts'
import classes from './flag-toolbar.module.css'
import { ownersOf, tagsOf } from './seen-in-flags.ts'
import { type FlagOrder, readOrder } from './sort-flags.ts'
import type { FlagFilterState } from './use-flag-filters.ts'

/** Entries that are listed; the rest is found by typing. */
const OPTIONS_MAX = 100

interface FilterControlsProps {
  readonly flags: readonly Flag[]
  readonly filters: FlagFilters
  readonly order: FlagOrder
  readonly change: FlagFilterState['change']
  /** Below one another on a narrow page, where the order has no column heads to click. */
  readonly isStacked: boolean
}

export const FilterControls = memo(function FilterControls(props: FilterControlsProps) {
  const { flags, filters, order, change, isStacked } = props
  const tags = useMemo(() => tagsOf(flags), [flags])
  const owners = useMemo(() => ownersOf(flags), [flags])
  // The tags of the address are offered even if no flag has them.
  const tagChoices = [...new Set([...tags, ...filters.tags])]
  const ownerChoices = [...new Set([...owners, ...(filters.owner ? [filters.owner] : [])])]
  const layout = (width: number) => ({
    className: isStacked ? classes.stacked : classes.control,
    style: { '--control-width': `${width}px` },
    comboboxProps: { width: 'max-content', position: 'bottom-start' as const },
  })
  return (
    <>
      <MultiSelect
        {...layout(filters.tags.length > 0 ? 200 : 100)}
        classNames={{
          input: classes.line,
          pillsList: classes.pills,
          pill: classes.pill,
          inputField: classes.field,
        }}
        aria-label="Tags"
        placeholder={filters.tags.length > 0 ? '' : 'Tags'}
        data={tagChoices}
        disabled={tagChoices.length === 0}
        value={[...filters.tags]}
        onChange={(chosen) => change({ tags: chosen })}
        limit={OPTIONS_MAX}
        maxValues={10}
        nothingFoundMessage="No such tag"
        searchable
        clearable
      />
      <Select
        {...layout(130)}
        aria-label="Owner"
        placeholder="Owner"
        data={ownerChoices}
        disabled={ownerChoices.length === 0}
        value={filters.owner}
        onChange={(owner) => change({ owner })}
        limit={OPTIONS_MAX}
        nothingFoundMessage="No such owner"
        searchable
        clearable
      />
      <Select
        {...layout(100)}
        aria-label="State"
        placeholder="State"
        data={[
          { value: 'on', label: 'On' },
          { value: 'off', label: 'Off' },
        ]}
        value={filters.state}
        onChange={(state) => change(readOnly('state', state))}
        clearable
      />
      <Select
        {...layout(105)}
        aria-label="Type"
        placeholder="Type"
        data={[...FLAG_TYPES]}
        value={filters.type}
        onChange={(type) => change(readOnly('type', type))}
        clearable
      />
      <Select
        {...layout(105)}
        aria-label="Archived or active"
        data={[
          { value: 'active', label: 'Active' },
          { value: 'archived', label: 'Archived' },
          { value: 'all', label: 'All' },
        ]}
        value={filters.archived}
        onChange={(archived) => change(readOnly('archived', archived))}
        allowDeselect={false}
      />
      {isStacked && (
        <Select
          {...layout(190)}
          aria-label="Order"
          data={[
            { value: 'key', label: 'By key' },
            { value: 'changed', label: 'Recently changed' },
            { value: 'impressions', label: 'Most impressions' },
          ]}
          value={order}
          onChange={(chosen) => change({ order: readOrder(chosen ?? '') })}
          allowDeselect={false}
        />
      )}
    </>
  )
})

/** A select gives any text; read it as the address is read. */
function readOnly<K extends 'state' | 'type' | 'archived'>(
  field: K,
  text: string | null,
): Pick<FlagFilters, K> {
  const blank = { q: '', tags: '', owner: '', state: '', type: '', archived: '', starred: '' }
  return readFilters({ ...blank, [field]: text ?? '' })
}
