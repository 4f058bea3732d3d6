import { CommandError, usageError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'

interface Words {
  readonly read: string
  readonly write: string
}

const both = (text: string): Words => ({ read: text, write: text })
const FORBIDDEN: Words = { read: 'this account may not read it', write: 'this account may not write it' }

/** Reasons by the codes of the system, whose own messages repeat the path. */
const BY_CODE: Readonly<Record<string, Words>> = {
  ENOENT: { read: 'it does not exist', write: 'its folder does not exist' },
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EISDIR: both('it is a folder'),
  ENOTDIR: both('a part of its path is a file'),
  EEXIST: both('it exists already'),
  ENOSPC: both('the disk is full'),
  EDQUOT: both('the quota of this account is used up'),
  EROFS: both('the disk is read-only'),
  EIO: both('the disk failed'),
  ENAMETOOLONG: both('its name is too long'),
  ELOOP: both('its links lead in a circle'),
  EMFILE: both('too many files are open'),
}
/** The failures of a machine: the command line was right. */
const FAILURES = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE']

/** Returns the error for a file or folder that cannot be read. */
export const cannotRead = (path: string, error: unknown): CommandError =>
  fileError(path, error, 'read', 'read')

/** Returns the error for a file or folder that cannot be written. */
export const cannotWrite = (path: string, error: unknown): CommandError =>
  fileError(path, error, 'write', 'written')

/** Returns the error for a failed system call on a path; null for any other error. */
export function explainSystemError(error: unknown): CommandError | null {
  if (!(error instanceof Error) || codeOf(error) === null) return null
  const { path, syscall } = error as NodeJS.ErrnoException
  if (typeof path !== 'string' || syscall === undefined || syscall.startsWith('spawn')) return null
  return /^(?:open|read|scandir|stat|lstat|realpath|access)/.test(syscall)
    ? cannotRead(path, error)
    : cannotWrite(path, error)
}

function fileError(path: string, error: unknown, kind: keyof Words, done: string): CommandError {
  const code = codeOf(error)
  const message = `${path} cannot be ${done}: ${reasonOf(error, code, kind)}.`
  return code !== null && FAILURES.includes(code)
    ? new CommandError(message, EXIT.failed)
    : usageError(message)
}

function reasonOf(error: unknown, code: string | null, kind: keyof Words): string {
  const known = BY_CODE[code ?? '']?.[kind]
  if (known !== undefined) return known
  if (code !== null) return `the system refused it (${code})`
  return error instanceof Error ? error.message : String(error)
}

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
