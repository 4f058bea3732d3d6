import { execFile } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { usageError } from '../command-error.ts'

/** A larger file is skipped, as are files with a NUL at their beginning. */
const FILE_MAX_BYTES = 4 * 1024 * 1024
const BINARY_READ_BYTES = 8 * 1024
const LIST_MAX_BYTES = 256 * 1024 * 1024
/** Files that name every flag, because they are made from the flags. */
const GENERATED = /(?:^|\/)(?:burgee\.gen\.ts|openfeature\.gen\.d\.ts)$/

interface Skipped {
  readonly file: string
  readonly because: 'large' | 'binary'
}

/** Lists the files that git tracks below a folder, by paths from that folder. */
export async function listTrackedFiles(folder: string, exclude: readonly string[]): Promise<string[]> {
  const paths = ['.', ...exclude.map((pattern) => `:(exclude)${pattern}`)]
  const { stdout } = await promisify(execFile)('git', ['-C', folder, 'ls-files', '-z', '--', ...paths], {
    maxBuffer: LIST_MAX_BYTES,
  }).catch((error: unknown) => {
    const text = error instanceof Error ? error.message.trim().split('\n').at(-1) : ''
    throw usageError(`The files that git tracks in ${folder} cannot be listed. ${text}`)
  })
  return stdout.split('\0').filter((file) => file !== '' && !GENERATED.test(file))
}

/** Reads a file; null for a link or a folder, and the reason where it is skipped. */
export function readSource(folder: string, file: string): Buffer | Skipped | null {
  const path = join(folder, file)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) return null
  if (stats.size > FILE_MAX_BYTES) return { file, because: 'large' }
  const bytes = readFileSync(path)
  return bytes.subarray(0, BINARY_READ_BYTES).includes(0) ? { file, because: 'binary' } : bytes
}

/** Returns a fact of the repository that a git command prints; null where it fails. */
export async function askGit(folder: string, ...args: string[]): Promise<string | null> {
  const asked = await promisify(execFile)('git', ['-C', folder, ...args]).catch(() => null)
  return asked?.stdout.trim() || null
}
