import { APPROVAL_TABLE, AUTHENTICATION_ACTIONS, DOMAIN_EVENTS, IMPORT_SYSTEMS } from '@burgee/contract'
import { complementOf, OPERATORS, operatorKind } from '@burgee/evaluation'
import { expect, it } from 'vitest'
import { REFUSAL_STATUS } from '../../src/http/responses/error-reply.ts'
import { readDocument } from './harness/read-documents.ts'

const read = (page: string): string => readDocument(`docs/${page}`)

/** Returns the first cells of the tables between two headings, without backticks. */
function firstCells(page: string, heading: string): string[] {
  const section = read(page).split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `?([^`|]+?)`? \|/gm)]
    .map(([, cell = '']) => cell)
    .filter((cell) => !/^-+$/.test(cell))
}

it('docs/reference/events.md lists every event', () => {
  const listed = [...read('reference/events.md').matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(
    ([, name]) => name,
  )
  expect(listed).toEqual([...DOMAIN_EVENTS])
})

it('docs/reference/governance.md says what each change needs under both approval scopes', () => {
  const rows = APPROVAL_TABLE.map(({ all, change, patch }) => `| ${change} | ${patch} | ${all} |`)
  expect(read('reference/governance.md')).toContain(
    ['| change | `patch` | `all` |', '|---|---|---|', ...rows].join('\n'),
  )
})

it('docs/reference/api.md lists every status that a refusal has', () => {
  const listed = firstCells('reference/api.md', '## Statuses')
  expect(listed).toEqual(expect.arrayContaining(Object.values(REFUSAL_STATUS).map(String)))
})

it('docs/reference/operators.md names every operator and its complement', () => {
  const rows = [
    ...read('reference/operators.md').matchAll(/^\| `([a-z_]+)` \| (?:`([a-z_]+)`|none) \| ([a-z]+) /gm),
  ]
  const positive = OPERATORS.filter((operator) => rows.some(([, name]) => name === operator))
  expect(rows.map(([, name, complement, kind]) => [name, complement ?? null, kind])).toEqual(
    positive.map((operator) => [operator, complementOf(operator), operatorKind(operator)]),
  )
  expect(rows.flatMap(([, name, complement = name]) => [name, complement])).toEqual(
    expect.arrayContaining([...OPERATORS]),
  )
})

it('docs/reference/access.md lists every authentication event', () => {
  const listed = firstCells('reference/access.md', '## Authentication events')
  expect(listed).toEqual(['action', ...AUTHENTICATION_ACTIONS])
})

it('docs/import.md lists every service to import from', () => {
  expect(firstCells('import.md', '## Which files')).toEqual(['system', ...IMPORT_SYSTEMS])
})
