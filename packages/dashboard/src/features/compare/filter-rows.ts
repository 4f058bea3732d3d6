import type { DriftRow } from './drift.ts'

interface RowFilter {
  /** Part of a key or description, in whatever case. */
  readonly q: string
  readonly is_only_different: boolean
}

export function filterRows(rows: readonly DriftRow[], { q, is_only_different }: RowFilter): DriftRow[] {
  const wanted = q.trim().toLowerCase()
  return rows.filter((row) => (row.has_drift || !is_only_different) && matches(row, wanted))
}

const matches = ({ key, flags }: DriftRow, wanted: string): boolean =>
  wanted === '' ||
  key.toLowerCase().includes(wanted) ||
  [...flags.values()].some(({ description }) => description?.toLowerCase().includes(wanted))
