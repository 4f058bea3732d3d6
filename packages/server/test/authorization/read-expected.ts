import { readFileSync } from 'node:fs'

/** A row of a table: the cells by the names of their columns. */
export type Row = Readonly<Record<string, string>>

/**
 * The three tables of `expected.md`. The column `endpoint` has texts like `GET /api/projects/{project_id}`.
 */
export interface Expected {
  readonly home: readonly Row[]
  readonly abroad: readonly Row[]
  readonly missing: readonly Row[]
}

/** Parses `expected.md`. A row without one cell for each column is an error. */
export function readExpected(): Expected {
  const text = readFileSync(new URL('expected.md', import.meta.url), 'utf8')
  const [, home = '', abroad = '', missing = ''] = text.split(/^## \d\. .*$/m)
  return { home: readTables(home), abroad: readTables(abroad), missing: readTables(missing) }
}

/** Parses all tables of one part, which may have several headings. */
function readTables(part: string): Row[] {
  const rows: Row[] = []
  let columns: readonly string[] | null = null
  for (const line of part.split('\n')) {
    if (!line.startsWith('|')) {
      columns = null
      continue
    }
    const cells = line.split('|').slice(1, -1)
    const texts = cells.map((cell) => cell.trim())
    if (columns === null) columns = texts
    else if (!texts.every((cell) => /^-+$/.test(cell))) rows.push(toRow(columns, texts))
  }
  return rows
}

function toRow(columns: readonly string[], cells: readonly string[]): Row {
  if (cells.length !== columns.length) throw new Error(`not one cell a column: ${cells.join(' | ')}`)
  return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
}
