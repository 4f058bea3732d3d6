import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { APPROVAL_TABLE, AUTHENTICATION_ACTIONS, DOMAIN_EVENTS } from '@burgee/contract'
import { complementOf, OPERATORS, operatorKind } from '@burgee/evaluation'
import { describe, expect, it } from 'vitest'
import { REFUSAL_STATUS } from '../../src/http/error-reply.ts'

const read = (page: string): string =>
  readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8')

/** Returns the first cells of the tables between two headings, without backticks. */
function firstCells(page: string, heading: string): string[] {
  const section = read(page).split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `?([^`|]+?)`? \|/gm)]
    .map(([, cell = '']) => cell)
    .filter((cell) => !/^-+$/.test(cell))
}

it.each(['reference/events.md', 'webhooks.md'])('docs/%s lists every event', (page) => {
  const listed = [...read(page).matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(([, name]) => name)
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

describe('links to the documentation', () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url))
  const sources = ['packages', 'e2e', 'bench', 'examples', 'scripts'].flatMap((folder) =>
    filesBelow(join(root, folder)),
  )
  const links = new Set(
    sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([link]) => link),
    ),
  )

  it.each([...links].sort())('a link in the code names an existing page and heading: %s', (link) => {
    const [page = '', anchor] = link.split('#')
    const headings = [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(
      ([, text = '']) => toAnchor(text),
    )
    if (anchor !== undefined) expect(headings).toContain(anchor)
  })
})

/** Builds an anchor as GitHub does. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return ['dist', 'node_modules'].includes(entry.name) ? [] : filesBelow(path)
    return /\.(?:tsx?|mjs)$/.test(entry.name) ? [path] : []
  })
}

it('docs/reference/access.md lists every authentication event', () => {
  const listed = firstCells('reference/access.md', '## Authentication events')
  expect(listed).toEqual(['action', ...AUTHENTICATION_ACTIONS])
})
