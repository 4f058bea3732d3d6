import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newSecret, type RandomBytes } from './crypto/new-secret.ts'
import { errorCode } from './log/error-code.ts'
import type { Log } from './log/log.ts'
import { INSECURE_DEVELOPMENT_SECRET, SESSION_SECRET_MIN_CHARS } from './settings/config.ts'

const SECRET_FILE = 'session-secret'
const OWNER_ONLY = 0o600

/**
 * Returns the secrets that encrypt and decrypt sessions: the configured ones, or a secret that is generated
 * once and stored in `dataDir` (mode 0600). It logs a warning for each choice that is unfit for production.
 */
export async function resolveSessionSecrets(
  deps: { log: Log; random?: RandomBytes },
  input: { sessionSecrets: string[] | null; dataDir: string },
): Promise<string[]> {
  if (input.sessionSecrets === null) return [await generatedSecret(deps, input.dataDir)]
  if (input.sessionSecrets.includes(INSECURE_DEVELOPMENT_SECRET)) {
    deps.log.warn('SESSION_SECRET is unset: sessions are sealed with the insecure development value')
  } else if (input.sessionSecrets.some((secret) => secret.length < SESSION_SECRET_MIN_CHARS)) {
    deps.log.warn(
      `SESSION_SECRET is shorter than ${SESSION_SECRET_MIN_CHARS} characters: not fit for production`,
    )
  }
  return input.sessionSecrets
}

async function generatedSecret(deps: { log: Log; random?: RandomBytes }, dataDir: string): Promise<string> {
  const file = join(dataDir, SECRET_FILE)
  deps.log.warn(
    { file },
    'SESSION_SECRET is unset: using the secret that is generated once and kept in DATA_DIR',
  )
  const kept =
    (await readIfPresent(file)) ?? (await writeOnce(file, dataDir, newSecret('', deps.random ?? randomBytes)))
  const secret = kept.trim()
  if (secret.length < SESSION_SECRET_MIN_CHARS)
    throw new Error(`${file} is damaged: delete it, and the next start creates a new one`)
  return secret
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * Writes a file once. Two servers may do this at the same time: a hard link is created completely or not at
 * all, and the second server reads the secret of the first.
 */
async function writeOnce(file: string, dataDir: string, secret: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${newSecret('').slice(0, 12)}`
  const handle = await open(draft, 'wx', OWNER_ONLY)
  try {
    await handle.writeFile(`${secret}\n`)
    await handle.sync()
    await link(draft, file)
    return secret
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return await readFile(file, 'utf8')
    throw error
  } finally {
    await handle.close()
    await rm(draft, { force: true })
  }
}
