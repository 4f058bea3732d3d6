import { readFile, stat } from 'node:fs/promises'

/** The operating system's account under which PostgreSQL runs; null: the server's own. */
export type PostgresAccount = { uid: number; gid: number } | null

type Account = { name: string; uid: number; gid: number }

const ROOT_UID = 0
const FALLBACK_NAMES = ['nobody', 'daemon']

/**
 * PostgreSQL refuses to run as root. For a server that does, this is the owner of the first of `folders` that exists and is not
 * root's own (a later start by that owner then finds a cluster that it may use), else `nobody`. Throws when there is no such account.
 */
export async function postgresAccount(folders: readonly string[]): Promise<PostgresAccount> {
  if (process.getuid?.() !== ROOT_UID) return null
  const accounts = parseAccounts(await readFile('/etc/passwd', 'utf8').catch(() => ''))
  for (const folder of folders) {
    const owner = await stat(folder).catch(() => null)
    // initdb insists on an account with a name, so a bare number from another machine does not do.
    const account = owner === null ? undefined : accounts.find(({ uid }) => uid === owner.uid)
    if (owner !== null && account !== undefined && account.uid !== ROOT_UID)
      return { uid: owner.uid, gid: owner.gid }
  }
  const fallback = FALLBACK_NAMES.map((wanted) => accounts.find(({ name }) => name === wanted)).find(
    (account) => account !== undefined,
  )
  if (fallback !== undefined) return { uid: fallback.uid, gid: fallback.gid }
  throw new Error(
    'the embedded PostgreSQL cannot run as root and /etc/passwd has no account "nobody": start as another user or set DATABASE_URL',
  )
}

/** The accounts in the text of an `/etc/passwd`; lines that do not fit are left out. */
export function parseAccounts(text: string): Account[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    if (name === undefined || !/^-?\d+$/.test(uid ?? '') || !/^-?\d+$/.test(gid ?? '')) return []
    return [{ name, uid: Number(uid), gid: Number(gid) }]
  })
}
