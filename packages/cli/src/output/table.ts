import { printable } from './output.ts'

/** Returns rows as aligned columns below their heads. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows.map((row) => row.map((cell) => printable(cell).replaceAll('\n', ' ')))]
  const widths = heads.map((_, column) =>
    lines.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  )
  return lines
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}
