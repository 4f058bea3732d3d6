import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SUPERUSER } from './cluster-roles.ts'
import { keepSecret, secretFile } from './cluster-secret.ts'
import { type Installation, openForChild, spawnProgram } from './postgres-program.ts'
import { uniqueName } from './random-text.ts'
import { stopAtExit } from './stop-at-exit.ts'

/** The name of the cluster's folder. It exists only when initdb has finished. */
export const CLUSTER_NAME = 'postgresql'
/** The application's database in the cluster. */
export const DATABASE = 'burgee'

/** The prefix of the folder in which initdb runs first. The next start removes leftovers. */
const DRAFT_PREFIX = '.postgresql-init-'

const OWNER_ONLY = 0o700
const MAX_REPORTED_CHARS = 2_000

/**
 * Creates the cluster unless it exists. initdb works in a separate folder that is renamed at the end, so a
 * killed start leaves nothing that looks like a cluster, and of two concurrent servers one wins. `signal`
 * ends initdb and rejects with its reason.
 */
export async function createCluster(
  installation: Installation,
  input: { dataDir: string; signal: AbortSignal },
): Promise<void> {
  const cluster = join(input.dataDir, CLUSTER_NAME)
  if (existsSync(cluster)) return
  await keepSecret(input.dataDir, installation.account)
  const draft = join(input.dataDir, DRAFT_PREFIX + uniqueName())
  await mkdir(draft, { mode: OWNER_ONLY })
  try {
    const { account } = installation
    if (account !== null) await chown(draft, account.uid, account.gid)
    await runInitdb(installation, { draft, ...input })
    await rename(draft, cluster)
    await syncFolder(input.dataDir)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another server created the cluster first, so that one is used.
    if (!existsSync(cluster)) throw error
  }
}

/**
 * Removes leftovers of interrupted starts. Call it only while holding the cluster's lock: no other server can
 * then run initdb usefully. An orphaned one may still write; the next start removes its files.
 */
export async function removeInterruptedDrafts(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  const drafts = names.filter((name) => name.startsWith(DRAFT_PREFIX))
  await Promise.all(
    drafts.map((name) => rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined)),
  )
}

async function runInitdb(
  installation: Installation,
  input: { draft: string; dataDir: string; signal: AbortSignal },
): Promise<void> {
  const opened = await openForChild(installation.account, input.draft, secretFile(input.dataDir))
  const [folder = '', secret = ''] = opened.paths
  const host = process.platform === 'win32' ? 'scram-sha-256' : 'reject'
  const authentication = ['--auth-local=scram-sha-256', `--auth-host=${host}`, `--pwfile=${secret}`]
  const args = ['-D', folder, '-U', SUPERUSER, ...authentication, ...LOCALE, '--no-instructions']
  const child = spawnProgram(installation, 'initdb', args, opened.handles)
  const kill = () => killGroup(child)
  const forget = stopAtExit(kill)
  input.signal.addEventListener('abort', kill)
  // The signal may have fired while the files were opened.
  if (input.signal.aborted) kill()
  try {
    await Promise.all([finished(child), opened.close()])
  } catch (error) {
    input.signal.throwIfAborted()
    throw error
  } finally {
    input.signal.removeEventListener('abort', kill)
    forget()
  }
}

/** Kills initdb with the PostgreSQL processes that it started. Its files are removed. */
function killGroup(child: ChildProcess): void {
  if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL')
  else process.kill(-child.pid, 'SIGKILL')
}

/** UTF-8, sorted by code point, with PostgreSQL's builtin case rules: the same on every machine. */
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
  // Windows can neither open a folder nor needs this call.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
