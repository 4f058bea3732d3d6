import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PostgresAccount } from './postgres-account.ts'

const SEARCH_BY_OWNER = 0o100
const SEARCH_BY_GROUP = 0o010
const SEARCH_BY_OTHERS = 0o001

/** Returns whether the account may enter `folder`, by the permission bits of it and of all folders above. */
export async function canEnter(account: PostgresAccount, folder: string): Promise<boolean> {
  if (account === null) return true
  const { uid, gid, mode } = await stat(folder)
  const needed =
    uid === account.uid ? SEARCH_BY_OWNER : gid === account.gid ? SEARCH_BY_GROUP : SEARCH_BY_OTHERS
  if ((mode & needed) === 0) return false
  const parent = dirname(folder)
  return parent === folder || canEnter(account, parent)
}
