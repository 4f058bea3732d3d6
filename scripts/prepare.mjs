import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { matchesLockfile } from './matches-lockfile.mjs'

/**
 * Prepares a command: installs dependencies and builds packages. Each step does nothing when it is up to
 * date.
 */

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const LOCKFILE = join(ROOT, 'package-lock.json')
/** The file that npm writes at the end of an installation. */
const INSTALLED_LOCKFILE = join(ROOT, 'node_modules', '.package-lock.json')
const INSTALL_STAMP = join(ROOT, 'node_modules', '.burgee-installed')
const BUILD_STAMP = join(ROOT, 'node_modules', '.burgee-built')
/** Libraries are compiled, with the types for the programs that import them. */
const LIBRARIES = [
  'evaluation',
  'contract',
  'embedded-postgres',
  'importers',
  'sdk',
  'openfeature',
  'react',
  'flags-sdk',
  'devtools',
]
/** Libraries whose parts are bundled, beside what the compiler writes. */
const BUNDLED_LIBRARIES = ['sdk', 'openfeature', 'react', 'flags-sdk', 'devtools']
/** Packages that users install. The server provides each as a tarball. */
export const CLIENTS = ['sdk', 'cli', 'openfeature', 'react', 'flags-sdk', 'devtools']
const PUBLIC = join(ROOT, 'packages', 'server', 'public')
/** Programs are bundles of sources: no program imports them, so their types are not written. */
const PROGRAMS = ['server', 'cli']
const OUTPUTS = [
  ...LIBRARIES.map((name) => `packages/${name}/dist/${name === 'openfeature' ? 'server' : 'index'}.js`),
  'packages/server/dist/bundle/main.js',
  ...CLIENTS.map((name) => `packages/server/public/burgee-${name}.tgz`),
  'packages/server/public/burgee-checksums.txt',
  'packages/server/public/index.html',
  'packages/cli/dist/main.js',
].map((file) => join(ROOT, file))

/**
 * Installs the dependencies when they are missing or differ from the lockfile. An `npm ci` by hand counts as
 * well.
 */
export function ensureInstalled() {
  const wanted = digestOf([LOCKFILE], (file) => readFileSync(file))
  if (stampIs(INSTALL_STAMP, wanted) || isInstalledByHand()) return
  console.log('Installing dependencies (this happens once) ...')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(INSTALL_STAMP, wanted)
}

function isInstalledByHand() {
  if (!existsSync(INSTALLED_LOCKFILE)) return false
  const [installed, wanted] = [INSTALLED_LOCKFILE, LOCKFILE].map((file) =>
    JSON.parse(readFileSync(file, 'utf8')),
  )
  return matchesLockfile(installed.packages, wanted.packages)
}

/** Builds the packages when a source is newer than their build. */
export async function ensureBuilt() {
  if (stampIs(BUILD_STAMP, digestOfSources()) && OUTPUTS.every((file) => existsSync(file))) return
  console.log('Building ...')
  await build()
}

/** Returns the digest of what the build reads, by the times and sizes of the files. */
function digestOfSources() {
  const sources = ['packages', 'examples/shop'].flatMap((folder) => sourceFiles(join(ROOT, folder)))
  const configs = ['tsconfig.base.json', 'package-lock.json'].map((file) => join(ROOT, file))
  return digestOf([...sources, ...configs], (file) => {
    const { mtimeMs, size } = statSync(file)
    return `${mtimeMs} ${size}`
  })
}

/**
 * Builds every package. What does not need another's build is built at the same time. Tools print when they
 * fail: the bundler has remarks about the version of Node.
 */
export async function build() {
  // What changes meanwhile is built again.
  const built = digestOfSources()
  await runTogether(
    [
      [bin('tsc'), ['-b', ...LIBRARIES.map((name) => `packages/${name}`)]],
      ...PROGRAMS.map((name) => bundle(name)),
    ],
    { isQuiet: true },
  )
  await runTogether(
    [
      [bin('vite'), ['build', '--logLevel', 'warn'], join(ROOT, 'packages', 'dashboard')],
      ...BUNDLED_LIBRARIES.map((name) => bundle(name)),
    ],
    { isQuiet: true },
  )
  await packClients()
  run(bin('tsc'), ['-b', 'examples/shop'])
  writeFileSync(BUILD_STAMP, built)
}

function bundle(name) {
  return [bin('tsdown'), ['--logLevel', 'error'], join(ROOT, 'packages', name)]
}

/**
 * Puts the packages of users as tarballs beside the dashboard, so that they are installed from the server:
 * `npm install http://localhost:3000/burgee-sdk.tgz`. Their checksums are beside them, in the form of
 * sha256sum.
 */
async function packClients() {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', PUBLIC]
  await runTogether(
    CLIENTS.map((name) => ['npm', args, join(ROOT, 'packages', name)]),
    { isQuiet: true },
  )
  for (const name of CLIENTS) {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'))
    renameSync(join(PUBLIC, `burgee-${name}-${version}.tgz`), join(PUBLIC, `burgee-${name}.tgz`))
  }
  const lines = CLIENTS.map((name) => {
    const file = `burgee-${name}.tgz`
    const hash = createHash('sha256').update(readFileSync(join(PUBLIC, file)))
    return `${hash.digest('hex')}  ${file}\n`
  })
  writeFileSync(join(PUBLIC, 'burgee-checksums.txt'), lines.join(''))
}

/** Returns the path of a tool that npm installed. */
export function bin(name) {
  return join(ROOT, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name)
}

/** Runs a command in the foreground, and ends this process when it fails. */
export function run(command, args, cwd = ROOT, stdio = /** @type {'inherit' | 'ignore'} */ ('inherit')) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio,
    shell: process.platform === 'win32',
  })
  if (error) console.error(`${command} could not be started: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * Runs commands, each with its arguments and its folder, as many at once as there are cores, and prints the
 * output of each when it ends, or only of those that fail. Ends this process after all of them when one has
 * failed.
 */
export async function runTogether(commands, { isQuiet = false } = {}) {
  const waiting = [...commands]
  let failed = 0
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { output, status } = await runQuietly(...next)
      if (status !== 0 || !isQuiet) process.stdout.write(output)
      if (status === 0) continue
      failed += 1
      console.error(`failed: ${[next[0], ...next[1]].join(' ').replaceAll(`${ROOT}/`, '')}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  if (failed > 0) process.exit(1)
}

/** Runs a command to its end, and returns its exit status and all its output. */
function runQuietly(command, args, cwd = ROOT) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, shell: process.platform === 'win32' })
    let output = ''
    const add = (text) => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', add)
    child.stderr.setEncoding('utf8').on('data', add)
    child.on('error', (error) => resolve({ status: 1, output: `could not be started: ${error.message}\n` }))
    child.on('close', (status) => resolve({ status, output }))
  })
}

/** Returns the sources in a folder, in order. Folders without any are not entered. */
function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return OTHER_FOLDERS.test(entry.name) || path === PUBLIC ? [] : sourceFiles(path)
    return entry.isFile() && SOURCE.test(entry.name) ? [path] : []
  })
}
const OTHER_FOLDERS = /^(node_modules|dist|test)$/
const SOURCE = /\.(ts|tsx|js|svg|sql|css|html)$|^(package|tsconfig)\.json$/

function digestOf(files, read) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file.slice(ROOT.length)).update(read(file))
  return hash.digest('hex')
}

function stampIs(stamp, wanted) {
  mkdirSync(dirname(stamp), { recursive: true })
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
}
