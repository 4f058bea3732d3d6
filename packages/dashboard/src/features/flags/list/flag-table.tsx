import type { Environment, Flag } from '@burgee/contract'
import { Checkbox, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type Ref, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react'
import type { Permission } from '../../../shared/scope/use-permissions.ts'
import { useTopOf } from '../../../shared/ui/use-top-of.ts'
import type { Activity } from './activity-by-flag.ts'
import { FlagRow } from './flag-row.tsx'
import classes from './flag-table.module.css'
import { GridPart } from './grid-part.tsx'
import type { FlagOrder } from './sort-flags.ts'
import { useListCursor } from './use-list-cursor.ts'

/** As `flag-table.module.css` has them. */
const ROW_PX = 54
const CARD_PX = 86
const CARDS_BELOW = '(max-width: 48em)'
const OVERSCAN_ROWS = 4
/**
 * The space that covers rows at the top (header, toolbar, columns) and the bottom (bulk actions) of the
 * window.
 */
const COVERED_TOP_PX = 160
const COVERED_BOTTOM_PX = 88

interface FlagTableProps {
  readonly flags: readonly Flag[]
  readonly project_id: string
  readonly environment_id: string
  /**
   * Set in Production, where a switch has to be confirmed: the environment's name and what follows from the
   * switch.
   */
  readonly question: string | null
  readonly environment: Environment | undefined
  readonly activity: ReadonlyMap<string, Activity> | undefined
  /** The keys with a star. */
  readonly favorites: ReadonlySet<string>
  readonly onFavorite: (key: string, isFavorite: boolean) => void
  readonly selected: ReadonlySet<string>
  readonly onSelect: (key: string, isSelected: boolean, isRange: boolean) => void
  readonly onSelectAll: (isSelected: boolean) => void
  readonly order: FlagOrder
  readonly onOrder: (order: FlagOrder) => void
  readonly maySwitch: Permission
  readonly onSwitch: (key: string, is_enabled: boolean) => void
  readonly handle: Ref<FlagTableHandle>
}

export interface FlagTableHandle {
  /** Moves the focus to the current row. */
  readonly enter: () => void
}

/** The flags as a grid of which only the rows in sight are drawn, so that thousands are as quick as ten. */
export const FlagTable = memo(function FlagTable(props: FlagTableProps) {
  const { flags, selected, onSelect, handle, project_id, environment_id } = props
  const navigate = useNavigate()
  const isNarrow = useMediaQuery(CARDS_BELOW, undefined, { getInitialValueInEffect: false })
  const rowPx = isNarrow ? CARD_PX : ROW_PX
  const body = useRef<HTMLDivElement>(null)
  const scrollMargin = useTopOf(body)
  const keys = useMemo(() => flags.map(({ key }) => key), [flags])
  const cursor = useListCursor({
    keys,
    firstInSight: () => Math.max(0, Math.ceil((window.scrollY + COVERED_TOP_PX - scrollMargin) / rowPx)),
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    onToggleSelected: (key) => onSelect(key, !selected.has(key), false),
    onOpen: (flag_key) =>
      void navigate({
        to: '/projects/$project_id/environments/$environment_id/flags/$flag_key',
        params: { project_id, environment_id, flag_key },
      }),
  })
  const virtualizer = useWindowVirtualizer({
    count: flags.length,
    estimateSize: () => rowPx,
    getItemKey: (index) => keys[index] ?? index,
    overscan: OVERSCAN_ROWS,
    scrollMargin: scrollMargin,
    scrollPaddingStart: COVERED_TOP_PX,
    scrollPaddingEnd: COVERED_BOTTOM_PX,
    // The current row stays drawn wherever the page is scrolled to, so that the focus is not lost with it.
    rangeExtractor: (range) => withRow(defaultRangeExtractor(range), cursor.index, flags.length),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are kept until they are measured again
  useLayoutEffect(() => virtualizer.measure(), [rowPx])
  useImperativeHandle(handle, () => ({ enter: cursor.enter }))
  return (
    <GridPart
      ref={cursor.grid}
      role="grid"
      aria-label="Flags"
      aria-rowcount={flags.length + 1}
      tabIndex={-1}
      className={classes.grid}
      onKeyDown={cursor.onKeyDown}
    >
      <Columns {...props} />
      <GridPart
        ref={body}
        role="rowgroup"
        className={classes.body}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const flag = flags[index]
          if (!flag) return null
          return (
            <FlagRow
              key={flag.key}
              flag={flag}
              index={index}
              top={start - scrollMargin}
              isCard={isNarrow}
              isCurrent={index === cursor.index}
              isSelected={selected.has(flag.key)}
              isFavorite={props.favorites.has(flag.key)}
              onFavorite={props.onFavorite}
              activity={props.activity?.get(flag.key)}
              hasActivity={props.activity !== undefined}
              project_id={project_id}
              environment_id={environment_id}
              question={props.question}
              environment={props.environment}
              maySwitch={props.maySwitch}
              onSwitch={props.onSwitch}
              onSelect={onSelect}
              onFocus={cursor.onFocusRow}
            />
          )
        })}
      </GridPart>
    </GridPart>
  )
})

function Columns({ flags, selected, onSelectAll, order, onOrder }: FlagTableProps) {
  const isAll = selected.size === flags.length
  const sortable = (by: FlagOrder, label: string) => (
    <GridPart
      role="columnheader"
      className={classes[by]}
      aria-sort={order !== by ? 'none' : by === 'key' ? 'ascending' : 'descending'}
    >
      <UnstyledButton className={classes.sort} onClick={() => onOrder(by)}>
        {label}
        <span aria-hidden="true">{order === by && (by === 'key' ? ' ↑' : ' ↓')}</span>
      </UnstyledButton>
    </GridPart>
  )
  return (
    <GridPart role="rowgroup" className={classes.head}>
      <GridPart role="row" aria-rowindex={1} className={classes.columns}>
        <GridPart role="columnheader" className={classes.select}>
          <Checkbox
            size="xs"
            checked={isAll}
            indeterminate={selected.size > 0 && !isAll}
            onChange={() => onSelectAll(!isAll)}
            aria-label={`Select all ${flags.length} flags that are listed`}
          />
        </GridPart>
        <GridPart role="columnheader" className={classes.switch}>
          On
        </GridPart>
        {sortable('key', 'Flag')}
        <GridPart role="columnheader" className={classes.type}>
          Type
        </GridPart>
        <GridPart role="columnheader" className={classes.serving}>
          Serving
        </GridPart>
        <GridPart role="columnheader" className={classes.tags}>
          Tags
        </GridPart>
        <GridPart role="columnheader" className={classes.owner}>
          Owner
        </GridPart>
        {sortable('impressions', 'Impressions')}
        {sortable('changed', 'Changed')}
      </GridPart>
    </GridPart>
  )
}

function withRow(rows: number[], row: number, count: number): number[] {
  if (row >= count || rows.includes(row)) return rows
  return [...rows, row].sort((a, b) => a - b)
}
