import type { Flag } from '@burgee/contract'
import { useCallback, useMemo, useRef, useState } from 'react'
import { selectRange } from './select-range.ts'

const NONE: ReadonlySet<string> = new Set()

/** Which of the listed flags are selected. One that a filter hides is not, so that no action reaches what nobody sees. */
export function useSelection(listed: readonly Flag[]) {
  const [chosen, setChosen] = useState(NONE)
  const last = useRef('')
  const keys = useRef<readonly string[]>([])
  const selected = useMemo(() => {
    keys.current = listed.map(({ key }) => key)
    return chosen.size === 0 ? NONE : new Set(keys.current.filter((key) => chosen.has(key)))
  }, [listed, chosen])
  const select = useCallback((key: string, is_selected: boolean, is_range: boolean) => {
    const from = is_range ? last.current : key
    last.current = key
    setChosen((before) => selectRange(before, keys.current, { from, to: key, is_selected }))
  }, [])
  const selectAll = useCallback(
    (is_selected: boolean) => setChosen(is_selected ? new Set(keys.current) : NONE),
    [],
  )
  return {
    selected,
    select,
    selectAll,
    clear: () => setChosen(NONE),
  }
}
