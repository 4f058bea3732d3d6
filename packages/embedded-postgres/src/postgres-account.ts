import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Log } from './log.ts'

/** The operating system's account for PostgreSQL; null for the server's own. */
export type PostgresAccount = { uid: number; gid: number } | null

type Account = { name: string; uid: number; gid: number }

const ROOT_UID = 0

/** An account only for PostgreSQL: all processes of `nobody` can read what `nobody` owns. */
const OWN_NAME = 'burgee-postgresql'
const FALLBACK_NAMES = ['nobody', 'daemon']
const CREATE_PATIENCE_MS = 5_000

/**
 * Returns the account for PostgreSQL, which refuses to run as root. For a server that runs as root it is the
 * owner of the first of `folders` that exists and is not root's (a later start by that owner can then use the
 * cluster), otherwise a dedicated account, which is created if possible, otherwise `nobody`. Throws when
 * there is none.
 */
export async function postgresAccount(
  deps: { readonly log: Log },
  folders: readonly string[],
): Promise<PostgresAccount> {
  if (process.getuid?.() !== ROOT_UID) return null
  const accounts = await readAccounts()
  for (const folder of folders) {
    const owner = await stat(folder).catch(() => null)
    // initdb requires an account with a name, so a bare number from another machine is not enough.
    const account = owner === null ? undefined : accounts.find(({ uid }) => uid === owner.uid)
    if (owner !== null && account !== undefined && account.uid !== ROOT_UID)
      return { uid: owner.uid, gid: owner.gid }
  }
  const own = accounts.find(({ name }) => name === OWN_NAME) ?? (await createAccount(deps))
  const fallback = FALLBACK_NAMES.map((wanted) => accounts.find(({ name }) => name === wanted))
  const account = [own, ...fallback].find((candidate) => candidate !== undefined)
  if (account !== undefined) return { uid: account.uid, gid: account.gid }
  throw new Error(
    'the embedded PostgreSQL cannot run as root and /etc/passwd has no account "nobody": start as another user or set DATABASE_URL',
  )
}

const readAccounts = async (): Promise<Account[]> =>
  parseAccounts(await readFile('/etc/passwd', 'utf8').catch(() => ''))

/** Creates the account; `undefined` when the machine lacks the tool or does not permit it. */
async function createAccount({ log }: { readonly log: Log }): Promise<Account | undefined> {
  if (process.platform !== 'linux') return undefined
  const args = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent']
  const reason = await promisify(execFile)('useradd', [...args, '--shell', '/usr/sbin/nologin', OWN_NAME], {
    timeout: CREATE_PATIENCE_MS,
  }).then(
    () => null,
    (err: unknown) => err,
  )
  // Another server may have created it at the same moment.
  const account = (await readAccounts()).find(({ name }) => name === OWN_NAME)
  if (account === undefined)
    log.info({ err: reason }, `no system account ${OWN_NAME} could be created for PostgreSQL`)
  else log.info({ account: OWN_NAME }, 'PostgreSQL runs under a separate system account')
  return account
}

/** Parses the accounts of an `/etc/passwd`; invalid lines are ignored. */
export function parseAccounts(text: string): Account[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    if (name === undefined || !/^-?\d+$/.test(uid ?? '') || !/^-?\d+$/.test(gid ?? '')) return []
    return [{ name, uid: Number(uid), gid: Number(gid) }]
  })
}
