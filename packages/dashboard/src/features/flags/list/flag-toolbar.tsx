import type { Flag } from '@burgee/contract'
import { ActionIcon, Button, CloseButton, Collapse, Kbd, Text, TextInput, Tooltip } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconFilter, IconSearch, IconStar, IconStarFilled } from '@tabler/icons-react'
import { countOf } from '../../../shared/ui/count-of.ts'
import { FilterControls } from './filter-controls.tsx'
import { countFilters } from './flag-filters.ts'
import classes from './flag-toolbar.module.css'
import { SavedFilters } from './saved/saved-filters.tsx'
import type { FlagFilterState } from './use-flag-filters.ts'

/** Below it the filters wait behind a button. */
const ROOMY = '(min-width: 75em)'

interface FlagToolbarProps {
  readonly flags: readonly Flag[]
  /** Unknown while the flags are loaded. */
  readonly count: { readonly shown: number; readonly all: number } | null
  readonly text: string
  readonly onType: (text: string) => void
  /** The search is left: by a click elsewhere, or into the list. */
  readonly onLeave: () => void
  readonly onEnterList: () => void
  readonly filters: FlagFilterState
  readonly onClear: () => void
}

/** The search and the filters, which stay on top while the list scrolls. */
export function FlagToolbar({ flags, filters, count, ...props }: FlagToolbarProps) {
  const isRoomy = useMediaQuery(ROOMY, undefined, { getInitialValueInEffect: false })
  const [isOpen, { toggle }] = useDisclosure(false)
  const narrowing = countFilters(filters.filters)
  const isNarrowed = narrowing > 0 || props.text !== ''
  const controls = (
    <FilterControls
      flags={flags}
      filters={filters.filters}
      order={filters.order}
      change={filters.change}
      isStacked={!isRoomy}
    />
  )
  const clear = isNarrowed && (
    <Button size="compact-sm" variant="subtle" onClick={props.onClear}>
      Clear filters
    </Button>
  )
  return (
    <>
      <div className={classes.bar}>
        <SearchField {...props} />
        {isRoomy ? (
          controls
        ) : (
          <Button
            variant="default"
            leftSection={<IconFilter size={15} />}
            onClick={toggle}
            aria-expanded={isOpen}
            className={classes.filters}
          >
            Filters{narrowing > 0 && ` (${narrowing})`}
          </Button>
        )}
        <FavoritesToggle
          isOn={filters.filters.starred}
          onToggle={() => filters.change({ starred: !filters.filters.starred })}
        />
        <SavedFilters query={filters.query} onApply={filters.apply} />
        {isRoomy && clear}
        <Text size="xs" c="dimmed" role="status" className={classes.count}>
          {count && describeCount(count)}
        </Text>
      </div>
      {!isRoomy && (
        <Collapse expanded={isOpen}>
          <div className={classes.stack}>
            {controls}
            {clear}
          </div>
        </Collapse>
      )}
    </>
  )
}

interface FavoritesToggleProps {
  readonly isOn: boolean
  readonly onToggle: () => void
}

const FavoritesToggle = ({ isOn, onToggle }: FavoritesToggleProps) => (
  <Tooltip label={isOn ? 'Show all flags' : 'Show only favorites'}>
    <ActionIcon
      variant={isOn ? 'light' : 'default'}
      size={36}
      aria-pressed={isOn}
      aria-label="Only favorites"
      onClick={onToggle}
    >
      {isOn ? <IconStarFilled size={16} /> : <IconStar size={16} />}
    </ActionIcon>
  </Tooltip>
)

function SearchField({
  text,
  onType,
  onLeave,
  onEnterList,
}: Omit<FlagToolbarProps, 'flags' | 'filters' | 'count'>) {
  return (
    <TextInput
      className={classes.search}
      type="search"
      data-page-search
      aria-label="Search flags"
      placeholder="Search flags"
      leftSection={<IconSearch size={15} />}
      rightSection={
        text === '' ? (
          <Kbd size="xs">/</Kbd>
        ) : (
          <CloseButton size="sm" aria-label="Clear the search" onClick={() => onType('')} />
        )
      }
      value={text}
      onChange={(event) => onType(event.currentTarget.value)}
      onBlur={onLeave}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') {
          onType('')
          event.currentTarget.blur()
        } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
          event.preventDefault()
          onEnterList()
        }
      }}
      autoComplete="off"
      spellCheck={false}
    />
  )
}

const describeCount = ({ shown, all }: { readonly shown: number; readonly all: number }): string =>
  shown === all ? countOf(all, 'flag') : `${shown.toLocaleString('en')} of ${all.toLocaleString('en')}`
