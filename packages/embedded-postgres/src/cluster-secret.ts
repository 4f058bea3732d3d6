import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from './error-code.ts'
import type { PostgresAccount } from './postgres-account.ts'
import { newSecret, uniqueName } from './random-text.ts'

const SECRET_FILE = 'postgresql-password'
const OWNER_ONLY = 0o600

export const secretFile = (dataDir: string): string => join(dataDir, SECRET_FILE)

/**
 * Reads the secret of the cluster's roles; null when there is none: before the first start, and in folders of
 * earlier versions.
 */
export async function readSecret(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(secretFile(dataDir), 'utf8')).trim() || null
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * Stores a secret and returns the stored one: that of the first caller is kept. PostgreSQL's account owns the
 * file, so that a later start by that account can read it.
 */
export async function keepSecret(
  dataDir: string,
  account: PostgresAccount,
  fresh: string = newSecret(),
): Promise<string> {
  const draft = `${secretFile(dataDir)}.${uniqueName()}`
  const handle = await open(draft, 'wx', OWNER_ONLY)
  try {
    await handle.writeFile(`${fresh}\n`)
    if (account !== null) await handle.chown(account.uid, account.gid)
    await handle.sync()
    // A link is created completely or not at all, and never replaces a file.
    await link(draft, secretFile(dataDir))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await handle.close()
    await rm(draft, { force: true })
  }
  const secret = await readSecret(dataDir)
  if (secret === null) throw new Error(`${secretFile(dataDir)} is empty: restore it from a backup`)
  return secret
}
