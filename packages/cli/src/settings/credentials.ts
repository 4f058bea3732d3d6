import { chmodSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isObject } from '@burgee/contract'
import { usageError } from '../command-error.ts'
import { cannotRead, cannotWrite } from '../files/file-problem.ts'

/** The login that `burgee login` keeps. */
export interface Credentials {
  readonly url: string
  readonly token: string
}

/** Returns the file with the login (XDG Base Directory Specification 0.8). */
function credentialsFile(env: NodeJS.ProcessEnv): string {
  const base = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return join(base, 'burgee', 'credentials.json')
}

/** Returns the stored login, or null where there is none. */
export function readCredentials(env: NodeJS.ProcessEnv): Credentials | null {
  const file = credentialsFile(env)
  const stored = parse(readIfThere(file))
  if (stored === undefined) return null
  if (isObject(stored) && typeof stored.url === 'string' && typeof stored.token === 'string')
    return { url: stored.url, token: stored.token }
  throw usageError(`${file} is damaged. Run burgee login.`)
}

/** Stores the login, readable for its owner alone. */
export function writeCredentials(env: NodeJS.ProcessEnv, credentials: Credentials): string {
  const file = credentialsFile(env)
  const temporary = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
    chmodSync(temporary, 0o600)
    renameSync(temporary, file)
    return file
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

/** Deletes the stored login. Returns whether there was one. */
export function deleteCredentials(env: NodeJS.ProcessEnv): boolean {
  const file = credentialsFile(env)
  try {
    unlinkSync(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw cannotWrite(file, error)
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cannotRead(file, error)
  }
}

function parse(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
