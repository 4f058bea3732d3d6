import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf, pathsBelow, ROOT, readDocument } from './harness/read-documents.ts'

const PAGES = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'] as const
const ARCHITECTURE = readDocument('ARCHITECTURE.md')

/** Every file and folder of the project, as its path from the root. */
const PATHS = ['.ci', 'bench', 'deploy', 'docs', 'e2e', 'examples', 'packages', 'scripts'].flatMap(pathsBelow)

/** Lists the folders in a folder. */
const foldersIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )

const DOMAINS = 'structure targeting reporting notification identity insight governance serving'.split(' ')

/** The rooms of a domain in the layers of the server: `name, name   what they are`, a line or more. */
function roomsOf(domain: string): string[] {
  const block = ARCHITECTURE.split('## Layers of the server')[1]?.split('```')[1] ?? ''
  const [, from = ''] = block.split(new RegExp(`^${domain}\n`, 'm'))
  const lines = from.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('  '))
  return lines
    .slice(0, end)
    .flatMap((line) => (line.trim().split(/\s{2,}/)[0] ?? '').split(','))
    .map((name) => name.trim())
    .filter(Boolean)
    .sort()
}

/** The names of a layer in the block below a heading, without introduction and remarks in parentheses. */
function namesOfLayer(heading: string, layer: string): string[] {
  const block = ARCHITECTURE.split(`## ${heading}`)[1]?.split('```')[1] ?? ''
  const from = block.split(new RegExp(`^${layer}\\b\\S*`, 'm'))[1] ?? ''
  const lines = from.split('\n')
  const next = lines.findIndex((line, index) => index > 0 && !line.startsWith(' '))
  const text = lines.slice(0, next).join(' ')
  const names = text.replaceAll(/\([^)]*\)/g, '').replace(/^[^:]*:/, '')
  return names
    .split(/[\s,]+/)
    .filter(Boolean)
    .sort()
}

describe('ARCHITECTURE.md', () => {
  it('the table of packages has a row for each package', () => {
    const rows = [...ARCHITECTURE.matchAll(/^\| `packages\/([a-z-]+)` \|/gm)].map(([, name]) => name)
    expect(rows.sort()).toEqual(foldersIn('packages'))
  })

  it.each(DOMAINS)('the layers of the server have a line for each room of %s, and no other', (domain) => {
    expect(roomsOf(domain)).toEqual(foldersIn(`packages/server/src/${domain}`).sort())
  })

  it('the layers of the server name every other folder of the source', () => {
    const block = ARCHITECTURE.split('## Layers of the server')[1]?.split('```')[1] ?? ''
    const layers = [...block.matchAll(/^([a-z]+)/gm)].map(([, name]) => name)
    expect(layers).toEqual(expect.arrayContaining(foldersIn('packages/server/src')))
  })

  it.each(['features', 'parts', 'shared'])(
    'the layers of the dashboard name every folder of %s, and no other',
    (layer) => {
      expect(namesOfLayer('Layers of the dashboard', layer)).toEqual(
        foldersIn(`packages/dashboard/src/${layer}`),
      )
    },
  )
})

describe.each(PAGES)('%s', (page) => {
  const text = readDocument(page)

  it('each path in backticks exists', () => {
    const paths = [...text.matchAll(/`([a-z.]+[\w.-]*(?:\/[\w.*-]+)+|[\w-]+\.(?:ts|mjs))\/?`/g)].map(
      ([, path = '']) => path,
    )
    expect(paths.length).toBeGreaterThan(0)
    // A page writes a path from the root, or from the folder that its section describes.
    const isThere = (path: string) => {
      const pattern = path.replaceAll('.', '\\.').replaceAll('*', '[^/]*')
      return PATHS.some((file) => new RegExp(`(^|/)${pattern}(\\.ts)?$`).test(file))
    }
    expect(paths.filter((path) => !isThere(path))).toEqual([])
  })

  it('each npm script that is mentioned exists', () => {
    const { scripts } = JSON.parse(readDocument('package.json'))
    const mentioned = [...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name)
    expect(mentioned.length + Number(page === 'ARCHITECTURE.md')).toBeGreaterThan(0)
    expect(mentioned.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })
})

it('each link of a page leads to a file, and to a heading of it', () => {
  const pages = [...readdirSync(ROOT), ...PATHS].filter((path) => path.endsWith('.md'))
  expect(pages.length).toBeGreaterThan(50)
  const broken = pages.flatMap((page) => {
    const text = readDocument(page).replaceAll(/^```[\s\S]*?^```/gm, '')
    return [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([link, path, anchor]) => {
        const target = path ? join(dirname(page), path) : page
        if (!existsSync(join(ROOT, target))) return [`${page}: ${link}`]
        const isFound = !anchor || !target.endsWith('.md') || anchorsOf(target).includes(anchor)
        return isFound ? [] : [`${page}: ${link}`]
      },
    )
  })
  expect(broken).toEqual([])
})

it('each link in the code leads to a page of the documentation, and to a heading of it', () => {
  const sources = PATHS.filter((path) => /^(?!docs\/).*\.(?:tsx?|mjs)$/.test(path))
  const links = sources.flatMap((path) => readDocument(path).match(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g) ?? [])
  expect(links.length).toBeGreaterThan(50)
  const broken = [...new Set(links)].filter((link) => {
    const [page = '', anchor] = link.split('#')
    return !PATHS.includes(page) || (anchor !== undefined && !anchorsOf(page).includes(anchor))
  })
  expect(broken).toEqual([])
})
