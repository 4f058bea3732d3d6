import { errorCode } from '../log/error-code.ts'
import { SETTINGS, type Setting } from './settings.ts'

/** Returns the text of a file. Throws the errors of the file system. */
export type ReadTextFile = (path: string) => string

type Variables = Record<string, string | undefined>
type Problem = { setting: string; value: string; allowed: string }

const FILE_SUFFIX = '_FILE'
const MAX_SECRET_CHARS = 65_536

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
}

/**
 * Returns the environment with the secrets that `<NAME>_FILE` settings name, read from their files without
 * surrounding white space. Adds a problem for a file that cannot be read or is empty, and for a secret that
 * is given twice.
 */
export function readSecretFiles(env: Variables, readFile: ReadTextFile, problems: Problem[]): Variables {
  const found: Variables = {}
  for (const [name, setting] of Object.entries<Setting<unknown, unknown>>(SETTINGS)) {
    const path = setting.secret === true ? env[name + FILE_SUFFIX]?.trim() : undefined
    if (path === undefined || path === '') continue
    const { allowed, text } = readSecret(path, readFile, {
      name,
      isAlsoSet: (env[name]?.trim() ?? '') !== '',
    })
    if (text === null) problems.push({ setting: name + FILE_SUFFIX, value: JSON.stringify(path), allowed })
    else found[name] = text
  }
  return { ...env, ...found }
}

type SecretText = { text: string; allowed: '' } | { text: null; allowed: string }

function readSecret(
  path: string,
  readFile: ReadTextFile,
  { isAlsoSet, name }: { name: string; isAlsoSet: boolean },
): SecretText {
  const refuse = (allowed: string): SecretText => ({ text: null, allowed })
  if (isAlsoSet) return refuse(`unset while \`${name}\` is set: keep only one of them`)
  try {
    const text = readFile(path).trim()
    if (text === '') return refuse('the path of a file that is not empty')
    if (text.length > MAX_SECRET_CHARS)
      return refuse(`the path of a file of at most ${MAX_SECRET_CHARS} characters`)
    return { text, allowed: '' }
  } catch (error) {
    const code = errorCode(error) ?? 'unknown error'
    return refuse(`the path of a file that the server can read (${REASONS[code] ?? code})`)
  }
}
