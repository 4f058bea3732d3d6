import { chmod, readdir, stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { errorCode } from './error-code.ts'
import type { Log } from './log.ts'
import type { PostgresAccount } from './postgres-account.ts'

const GROUP_AND_OTHERS = 0o077
const SEARCH_BY_GROUP_AND_OTHERS = 0o011
const MODE_BITS = 0o7777

/** The names that Burgee uses in a data folder, and those that a new file system contains. */
const OWN_NAMES = /^(\.?(burgee-)?postgresql(-.*)?|session-secret(\..*)?|lost\+found)$/

interface DataFolder {
  readonly dataDir: string
  readonly account: PostgresAccount
  /** The location of PostgreSQL's programs. */
  readonly binaries: { readonly folder: string }
}

/**
 * Closes a data folder for group and others, also one that existed before Burgee: mode 0700, or 0711 when
 * PostgreSQL's account must pass through it. It must when its programs were copied into the folder, and when
 * it cannot get the open cluster (see openForChild). A folder with other files than Burgee's, such as /tmp or
 * a home, keeps its mode, and so does one whose mode this account may not change; the log reports both.
 */
export async function closeDataFolder(
  { log }: { readonly log: Log },
  { account, binaries, dataDir }: DataFolder,
): Promise<void> {
  if (process.platform === 'win32') return
  const { mode, uid } = await stat(dataDir)
  const passes =
    account !== null &&
    account.uid !== uid &&
    (process.platform !== 'linux' || binaries.folder.startsWith(dataDir + sep))
  const taken = GROUP_AND_OTHERS & ~(passes ? SEARCH_BY_GROUP_AND_OTHERS : 0)
  if ((mode & taken) === 0) return
  const others = (await readdir(dataDir)).filter((name) => !OWN_NAMES.test(name))
  const problem =
    others.length > 0 ? 'it has files of other programs' : await tryMode(dataDir, mode & MODE_BITS & ~taken)
  if (problem !== null)
    log.warn(
      { dataDir, problem },
      'DATA_DIR is open to other accounts: give Burgee a separate folder with mode 0700',
    )
}

/** Returns why the folder still has another mode, or null. */
async function tryMode(folder: string, mode: number): Promise<string | null> {
  try {
    await chmod(folder, mode)
    return null
  } catch (error) {
    if (!['EPERM', 'EACCES', 'EROFS', 'ENOTSUP'].includes(errorCode(error) ?? '')) throw error
    return 'its mode cannot be changed by this account'
  }
}
