/**
 * Checks what a program meets when it imports a published package: `publint` for the manifest, `attw` for the
 * types of each entry point in each module system. Both read the packed package and download nothing.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { bin, ROOT } from '../prepare.mjs'
import { publishedFolders, readManifest } from './published-packages.mjs'

/**
 * Packages in one module system: CommonJS programs load them with `require(esm)` of Node 20.19. The others
 * are in both.
 */
const ESM_ONLY = ['contract', 'embedded-postgres', 'evaluation', 'importers', 'mcp']
/** Files for script elements, which have no types. */
const WITHOUT_TYPES = /\.min\.js$/

/** Returns problems with the entry points of the published packages, one line each. */
export async function checkEntryPoints() {
  const problems = []
  const target = mkdtempSync(join(tmpdir(), 'burgee-pack-'))
  try {
    for (const folder of publishedFolders()) {
      const manifest = readManifest(`packages/${folder}`)
      const tarball = pack(folder, target)
      problems.push(...(await lint(folder, manifest, tarball)))
      if (hasTypes(manifest)) problems.push(...checkTypes(folder, manifest, tarball))
    }
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
  return problems
}

async function lint(folder, manifest, tarball) {
  const { messages } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
  })
  return messages.map(
    (message) => `packages/${folder}: ${formatMessage(message, manifest, { color: false })} (publint)`,
  )
}

const hasTypes = ({ exports = {} }) => JSON.stringify(exports).includes('"types"')

function checkTypes(folder, { exports }, tarball) {
  const skipped = Object.keys(exports).filter((name) => WITHOUT_TYPES.test(name))
  const { status, stderr, stdout } = spawnSync(
    bin('attw'),
    [
      tarball,
      ...['--profile', ESM_ONLY.includes(folder) ? 'esm-only' : 'node16'],
      ...(skipped.length > 0 ? ['--exclude-entrypoints', ...skipped.map((name) => name.slice(2))] : []),
      ...['--format', 'ascii', '--no-color', '--no-emoji'],
    ],
    { encoding: 'utf8', shell: process.platform === 'win32' },
  )
  return status === 0 ? [] : [`packages/${folder} (attw):\n${stdout}${stderr}`]
}

/** Returns the path of the packed package. */
function pack(folder, target) {
  const { status, stderr, stdout } = spawnSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', target],
    { cwd: join(ROOT, 'packages', folder), encoding: 'utf8', shell: process.platform === 'win32' },
  )
  if (status !== 0) throw new Error(`npm pack failed in packages/${folder}: ${stderr}`)
  return join(target, stdout.trim())
}
