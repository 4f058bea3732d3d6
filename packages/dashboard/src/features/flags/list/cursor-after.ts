/** Rows that Page Up and Page Down go. */
const PAGE_ROWS = 10

/**
 * The row that a key leads to, or null if it leads to none. `index` is the current row, -1 before the first.
 */
export function cursorAfter(
  key: string,
  { index, count }: { readonly index: number; readonly count: number },
): number | null {
  if (count === 0) return null
  const within = (row: number) => Math.min(count - 1, Math.max(0, row))
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return within(index + 1)
    case 'ArrowUp':
    case 'k':
      return within(index - 1)
    case 'PageDown':
      return within(index + PAGE_ROWS)
    case 'PageUp':
      return within(index - PAGE_ROWS)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
