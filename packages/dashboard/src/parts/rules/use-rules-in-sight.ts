import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useRef } from 'react'
import { useTopOf } from '../../shared/ui/use-top-of.ts'

/** Up to this many rules are all drawn. */
const DRAWN_MAX = 40
/** The height of a closed rule whose sentence takes one line. */
const CLOSED_PX = 46
/** The gap between two rules (rules.module.css). */
const GAP_PX = 8
const OVERSCAN = 6

/** A rule to draw. */
interface RuleInSight {
  readonly index: number
  /** The height of the rules above it that are not drawn, in pixels. */
  readonly skippedPx: number
}

interface RulesInSight {
  readonly shown: readonly RuleInSight[]
  /** The height of the rules below the last one that is drawn, in pixels. */
  readonly below: number
  readonly list: RefObject<HTMLOListElement | null>
  readonly measure: ((element: HTMLElement | null) => void) | undefined
  scrollTo(index: number): void
}

/**
 * The rules of a long list that are in sight, and those that are open, which keep the text typed into them.
 * The others are not drawn.
 */
export function useRulesInSight(keys: readonly string[], open: ReadonlySet<string>): RulesInSight {
  const list = useRef<HTMLOListElement>(null)
  const scrollMargin = useTopOf(list)
  const isLong = keys.length > DRAWN_MAX
  const virtualizer = useWindowVirtualizer({
    count: keys.length,
    enabled: isLong,
    estimateSize: () => CLOSED_PX,
    getItemKey: (index) => keys[index] ?? index,
    gap: GAP_PX,
    overscan: OVERSCAN,
    scrollMargin,
    rangeExtractor: (range) => {
      const opened = [...open].map((key) => keys.indexOf(key)).filter((index) => index >= 0)
      return [...new Set([...defaultRangeExtractor(range), ...opened])].sort((a, b) => a - b)
    },
  })
  if (!isLong) {
    const shown = keys.map((_, index) => ({ index, skippedPx: 0 }))
    return { shown, below: 0, list, measure: undefined, scrollTo: () => undefined }
  }
  const items = virtualizer.getVirtualItems()
  const shown = items.map(({ index, start }, at) => {
    const before = items[at - 1]
    const endOfBefore = before ? before.end + GAP_PX : scrollMargin
    return { index, skippedPx: Math.max(0, start - endOfBefore) }
  })
  const end = (items.at(-1)?.end ?? scrollMargin) - scrollMargin
  return {
    shown,
    below: Math.max(0, virtualizer.getTotalSize() - end),
    list,
    measure: virtualizer.measureElement,
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'center' }),
  }
}
