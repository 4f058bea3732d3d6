import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newSecret } from '../../crypto/new-secret.ts'
import { type Installation, openForChild, spawnProgram } from './postgres-program.ts'

/** The cluster inside the data folder. It exists only when initdb has run to its end. */
export const CLUSTER_NAME = 'postgresql'

/** The superuser that initdb makes, and the only role. */
export const EMBEDDED_USER = 'burgee'

/** initdb runs in such a folder first; what is left of an interrupted one is removed at the next start. */
const DRAFT_PREFIX = '.postgresql-init-'

const OWNER_ONLY = 0o700
const MAX_REPORTED_CHARS = 2_000

/**
 * Makes the cluster unless it is there. initdb works in a folder of its own that is renamed when it is finished, so a start that
 * is killed half-way leaves nothing that looks like a cluster, and of two servers that do this at once one wins.
 */
export async function createCluster(
  installation: Installation,
  input: { data_dir: string; password_file: string | null },
): Promise<void> {
  const cluster = join(input.data_dir, CLUSTER_NAME)
  if (existsSync(cluster)) return
  const draft = join(input.data_dir, DRAFT_PREFIX + newSecret('').slice(0, 12))
  await mkdir(draft, { mode: OWNER_ONLY })
  try {
    const { account } = installation
    if (account !== null) await chown(draft, account.uid, account.gid)
    await runInitdb(installation, draft, input.password_file)
    await rename(draft, cluster)
    await syncFolder(input.data_dir)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another server's cluster came first: that one it is.
    if (!existsSync(cluster)) throw error
  }
}

/**
 * Call only while holding the cluster's lock: nobody can then be running initdb to any purpose. One that was orphaned may still be
 * writing; what escapes now goes at the next start.
 */
export async function removeInterruptedDrafts(data_dir: string): Promise<void> {
  const names = await readdir(data_dir)
  const drafts = names.filter((name) => name.startsWith(DRAFT_PREFIX))
  await Promise.all(
    drafts.map((name) => rm(join(data_dir, name), { recursive: true, force: true }).catch(() => undefined)),
  )
}

async function runInitdb(
  installation: Installation,
  draft: string,
  password_file: string | null,
): Promise<void> {
  const folder = await openForChild(installation.account, draft)
  const authentication =
    password_file === null
      ? ['--auth-local=trust', '--auth-host=reject']
      : ['--auth=scram-sha-256', `--pwfile=${password_file}`]
  const args = ['-D', folder.path, '-U', EMBEDDED_USER, ...authentication, ...LOCALE, '--no-instructions']
  try {
    await finished(spawnProgram(installation, 'initdb', args, folder.handle))
  } finally {
    await folder.handle?.close()
  }
}

/** UTF-8 everywhere, sorted by code point, with the case rules that PostgreSQL brings along: the same on every machine. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

function finished(child: ChildProcess): Promise<void> {
  let output = ''
  const gather = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-MAX_REPORTED_CHARS)
  }
  child.stdout?.on('data', gather)
  child.stderr?.on('data', gather)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`PostgreSQL could not create its data folder: ${output.trim()}`))
    })
  })
}

async function syncFolder(folder: string): Promise<void> {
  // Windows does not let a folder be opened, and needs no such call.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
