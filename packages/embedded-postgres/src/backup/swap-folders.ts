import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { BackupRefused, SECRET_FILES } from './archive-format.ts'

/** Names the draft whose renaming has begun. While it exists, the server does not start. */
const JOURNAL = 'postgresql-restore-journal'
const OWNER_ONLY = 0o700
const NAMES = ['postgresql', ...SECRET_FILES]

interface Journal {
  readonly draft: string
  readonly aside: string
}

/**
 * Renames the cluster and the secrets of a draft into the data folder, and those of the data folder into a
 * folder of their own. Returns that folder, or null when there was nothing. `finishSwap` completes it after
 * a kill.
 */
export async function swapIn(dataDir: string, draft: string): Promise<string | null> {
  const aside = `postgresql-before-restore-${basename(draft).slice(-12)}`
  const journal = await open(join(dataDir, JOURNAL), 'wx', 0o600)
  try {
    await journal.writeFile(JSON.stringify({ draft: basename(draft), aside } satisfies Journal))
    await journal.sync()
  } finally {
    await journal.close()
  }
  await finishSwap(dataDir)
  return existsSync(join(dataDir, aside)) ? join(dataDir, aside) : null
}

/** Completes a swap that was interrupted. Each step is left out when it was done before. */
export async function finishSwap(dataDir: string): Promise<void> {
  const journal = await readJournal(dataDir)
  if (journal === null) return
  const draft = join(dataDir, journal.draft)
  for (const name of NAMES) {
    if (!existsSync(join(draft, name))) continue
    if (existsSync(join(dataDir, name))) {
      await mkdir(join(dataDir, journal.aside), { recursive: true, mode: OWNER_ONLY })
      await rename(join(dataDir, name), join(dataDir, journal.aside, name))
    }
    await rename(join(draft, name), join(dataDir, name))
  }
  await syncFolder(dataDir)
  await rm(join(dataDir, JOURNAL))
  await rm(draft, { recursive: true, force: true })
}

/** Throws while a restore of the data folder is half renamed: its database is not complete. */
export async function refuseHalfRestored(dataDir: string): Promise<void> {
  if (!(await readdir(dataDir)).includes(JOURNAL)) return
  throw new BackupRefused(
    `a restore of ${dataDir} was interrupted: run it again, which completes it before anything else`,
  )
}

async function readJournal(dataDir: string): Promise<Journal | null> {
  try {
    const value: unknown = JSON.parse(await readFile(join(dataDir, JOURNAL), 'utf8'))
    if (
      typeof value === 'object' &&
      value !== null &&
      'draft' in value &&
      'aside' in value &&
      isName(value.draft) &&
      isName(value.aside)
    )
      return { draft: value.draft, aside: value.aside }
    throw new BackupRefused(`${join(dataDir, JOURNAL)} is damaged: see docs/deploy/backup.md`)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^\.?postgresql-[\w-]+$/.test(value) && dirname(value) === '.'

async function syncFolder(folder: string): Promise<void> {
  // Windows can neither open a folder nor needs this call.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
