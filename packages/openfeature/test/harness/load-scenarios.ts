import { readFileSync } from 'node:fs'
import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin'
import { IdGenerator } from '@cucumber/messages'

export interface Step {
  readonly text: string
  /** The rows of a table, by the names of its columns. */
  readonly rows: readonly Readonly<Record<string, string>>[]
}

export interface Scenario {
  readonly name: string
  readonly tags: readonly string[]
  readonly steps: readonly Step[]
}

const FOLDER = new URL('../../../../e2e/data/openfeature/', import.meta.url)

/** Compiles an official feature file: one scenario for each row of its examples, with the background. */
export function loadScenarios(file: string): readonly Scenario[] {
  const newId = IdGenerator.incrementing()
  const parser = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher())
  const document = parser.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
  return compile(document, file, newId).map(({ name, steps, tags }) => ({
    name,
    tags: tags.map((tag) => tag.name),
    steps: steps.map(({ argument, text }) => ({ text, rows: rowsOf(argument?.dataTable?.rows ?? []) })),
  }))
}

type Row = { readonly cells: readonly { readonly value: string }[] }

function rowsOf([head, ...rows]: readonly Row[]): Step['rows'] {
  const names = (head?.cells ?? []).map(({ value }) => value)
  return rows.map(({ cells }) =>
    Object.fromEntries(cells.map(({ value }, index) => [names[index] ?? '', value])),
  )
}
