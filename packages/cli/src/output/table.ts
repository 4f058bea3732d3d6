import { cutLine } from '@burgee/contract'
import { type Io, printable } from './output.ts'

const GAP = '  '
/** Columns are not made narrower for a terminal. */
const NARROW = 12
/** The width of a column where the output is no terminal, which has a width of its own. */
const CELL_MAX = 120

/**
 * Returns rows as aligned columns below their heads. Long cells are cut so that a row fits on the terminal.
 * Those of the first column are never cut, because they name the things for further commands.
 */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, isTTY = false }: Pick<Io['stdout'], 'columns' | 'isTTY'>,
): string {
  const lines = [heads, ...rows.map((row) => row.map((cell) => printable(cell).replaceAll('\n', ' ')))]
  const natural = heads.map((_, column) =>
    lines.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  )
  const widths = isTTY && columns ? fit(natural, columns) : natural.map(cap)
  return lines
    .map((row) =>
      row
        .map((cell, column) => cut(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}

const cap = (width: number, column: number): number => (column === 0 ? width : Math.min(width, CELL_MAX))
const cut = (cell: string, width: number): string => (cell.length <= width ? cell : cutLine(cell, width))

/** Makes the widest columns narrower, one character at a time, until the row fits. */
function fit(natural: readonly number[], columns: number): readonly number[] {
  const widths = natural.map((width, column) => (column === 0 ? width : Math.min(width, columns)))
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - columns
  for (; excess > 0; excess -= 1) {
    const widest = Math.max(...widths.slice(1))
    if (widest <= NARROW) break
    widths[widths.indexOf(widest, 1)] = widest - 1
  }
  return widths
}
