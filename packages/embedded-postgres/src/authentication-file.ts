import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { PostgresAccount } from './postgres-account.ts'
import { uniqueName } from './random-text.ts'

const OWNER_ONLY = 0o600

/**
 * Returns a rule of `pg_hba.conf` for every role and the way clients connect (see clusterAddress): through
 * the unix socket, or the loopback address on Windows.
 */
export const ruleFor = (platform: NodeJS.Platform, method: 'scram-sha-256' | 'trust'): string =>
  platform === 'win32' ? `host all all 127.0.0.1/32 ${method}` : `local all all ${method}`

/** Returns whether clients can connect without a password, as in clusters of earlier versions of Burgee. */
export async function isOpen(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ open: boolean }>(
    "select exists (select from pg_hba_file_rules where auth_method = 'trust') as open",
  )
  return rows[0]?.open === true
}

/** Requires passwords from now on. Call it when every role has its password. */
export async function requirePasswords(
  client: pg.Client,
  cluster: { readonly folder: string; readonly account: PostgresAccount },
): Promise<void> {
  if (!(await isOpen(client))) return
  const file = join(cluster.folder, 'pg_hba.conf')
  const draft = `${file}.${uniqueName()}`
  const handle = await open(draft, 'wx', OWNER_ONLY)
  try {
    await handle.writeFile(`# Written by Burgee.\n${ruleFor(process.platform, 'scram-sha-256')}\n`)
    if (cluster.account !== null) await handle.chown(cluster.account.uid, cluster.account.gid)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  await client.query('select pg_reload_conf()')
}
