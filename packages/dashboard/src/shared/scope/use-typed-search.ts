import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

const STORE_AFTER_MS = 250

/**
 * The text of the search as it is typed. The address gets it when typing pauses, since each change of the
 * address costs more than a key may. A change of the address by others (back, "Clear filters") comes back
 * into the text.
 */
export function useTypedSearch(stored: string, store: (text: string) => void) {
  const [text, setText] = useState(stored)
  const known = useRef(stored)
  const storeLater = useDebouncedCallback((typed: string) => {
    known.current = typed
    store(typed)
  }, STORE_AFTER_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address's own changes count
  useEffect(() => {
    if (stored === known.current) return
    known.current = stored
    storeLater.cancel()
    setText(stored)
  }, [stored])
  return {
    text,
    type: (typed: string) => {
      setText(typed)
      storeLater(typed)
    },
    /** Before the page is left: the way back leads to what was typed. */
    storeNow: () => {
      if (storeLater.isPending()) storeLater.flush()
    },
  }
}
