import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { APPROVAL_TABLE, DOMAIN_EVENTS } from '@burgee/contract'
import { isNumericOperator, OPERATORS } from '@burgee/evaluation'
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

it('docs/reference/flags.md names every operator, the numeric ones as such', () => {
  const sentence = /The operators are ([\s\S]*?) and the numeric ones([\s\S]*?)\./.exec(
    read('reference/flags.md'),
  )
  const named = (part = '') => [...part.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name)
  expect(named(sentence?.[1])).toEqual(OPERATORS.filter((operator) => !isNumericOperator(operator)))
  expect(named(sentence?.[2])).toEqual(OPERATORS.filter(isNumericOperator))
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
