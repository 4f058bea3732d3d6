import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import type { LiveLog } from './live-log.ts'
import type { StreamFilter } from './read-log.ts'
import { StreamRow } from './stream-row.tsx'
import classes from './stream-rows.module.css'

const ROW_PX = 37
const OVERSCAN = 12

interface StreamRowsProps {
  readonly log: LiveLog
  readonly filter: StreamFilter
  readonly onFilter: (changes: Partial<StreamFilter>) => void
}

/**
 * The log in its own scroll area. Only the rows in sight exist. The row that is read stays in place as others
 * come.
 */
export function StreamRows({ log: { rows, freshAfter }, filter, onFilter }: StreamRowsProps) {
  const region = useRef<HTMLElement>(null)
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>(new Set())
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    // A scrolled list stays where it is; at the top the newest rows come into sight.
    anchorTo: (region.current?.scrollTop ?? 0) > 0 ? 'end' : 'start',
  })
  const toggle = (id: number) => {
    const next = new Set(openIds)
    if (!next.delete(id)) next.add(id)
    setOpenIds(next)
  }
  return (
    <div className={classes.table}>
      <div className={classes.head} aria-hidden="true">
        <div className={classes.row}>
          <span>Time</span>
          <span>Flag</span>
          <span>User</span>
          <span>Value</span>
        </div>
      </div>
      <section
        ref={region}
        className={classes.region}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
        tabIndex={0}
        aria-label="Impressions, the newest first"
      >
        <ul className={classes.canvas} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const impression = rows[index]
            if (!impression) return null
            return (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                className={classes.item}
                data-fresh={impression.id > freshAfter || undefined}
                style={{ transform: `translateY(${start}px)` }}
              >
                <StreamRow
                  impression={impression}
                  isOpen={openIds.has(impression.id)}
                  onToggle={() => toggle(impression.id)}
                  filter={filter}
                  onFilter={onFilter}
                />
              </li>
            )
          })}
        </ul>
      </section>
    </div>
  )
}
