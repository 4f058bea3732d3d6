import type { DriftRow } from './drift.ts'

interface RowFilter {
  /** Part of a key or description, upper or lower case. */
  readonly q: string
  readonly isOnlyDifferent: boolean
}

export function filterRows(rows: readonly DriftRow[], { q, isOnlyDifferent }: RowFilter): DriftRow[] {
  const wanted = q.trim().toLowerCase()
  return rows.filter((row) => (row.hasDrift || !isOnlyDifferent) && matches(row, wanted))
}

const matches = ({ key, flags }: DriftRow, wanted: string): boolean =>
  wanted === '' ||
  key.toLowerCase().includes(wanted) ||
  [...flags.values()].some(({ description }) => description?.toLowerCase().includes(wanted))
