import type { Flag } from '@burgee/contract'
import { useCallback, useMemo, useRef, useState } from 'react'
import { selectRange } from './select-range.ts'

const NONE: ReadonlySet<string> = new Set()

/**
 * The listed flags that are selected. A flag that a filter hides is not selected, so that no action reaches a
 * hidden flag.
 */
export function useSelection(listed: readonly Flag[]) {
  const [chosen, setChosen] = useState(NONE)
  const last = useRef('')
  const keys = useRef<readonly string[]>([])
  const selected = useMemo(() => {
    keys.current = listed.map(({ key }) => key)
    return chosen.size === 0 ? NONE : new Set(keys.current.filter((key) => chosen.has(key)))
  }, [listed, chosen])
  const select = useCallback((key: string, isSelected: boolean, isRange: boolean) => {
    const from = isRange ? last.current : key
    last.current = key
    setChosen((before) => selectRange(before, keys.current, { from, to: key, isSelected }))
  }, [])
  const selectAll = useCallback(
    (isSelected: boolean) => setChosen(isSelected ? new Set(keys.current) : NONE),
    [],
  )
  return {
    selected,
    select,
    selectAll,
    clear: () => setChosen(NONE),
  }
}
