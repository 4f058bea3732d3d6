import { existsSync } from 'node:fs'
import { chown, type FileHandle, mkdir, open, readdir, realpath, rm, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { clusterAddress } from '../cluster-address.ts'
import { inspectCluster } from '../cluster-lock.ts'
import { readSecret } from '../cluster-secret.ts'
import { CLUSTER_NAME, createCluster } from '../create-cluster.ts'
import type { DatabaseAddress } from '../database-address.ts'
import type { Log } from '../log.ts'
import { type PostgresAccount, postgresAccount } from '../postgres-account.ts'
import { postgresBinaries } from '../postgres-binaries.ts'
import { uniqueName } from '../random-text.ts'
import { startEmbeddedPostgres } from '../start-embedded-postgres.ts'
import { type BackupHeader, BackupRefused, isConfiguration } from './archive-format.ts'
import { readArchive } from './read-archive.ts'
import { finishSwap, swapIn } from './swap-folders.ts'

const OWNER_ONLY = 0o700
const FILE_MODE = 0o600
/** Beside the cluster, on the same file system, with a name that the server knows as its own. */
const DRAFT_PREFIX = '.postgresql-restore-'

interface RestoreInput {
  readonly dataDir: string
  readonly file: string
  /** Moves a present database aside. Without it one is refused. */
  readonly isReplacing: boolean
  /** Refuses a backup by its header, with `BackupRefused`. */
  accept(header: BackupHeader): void
  /** Refuses the restored database, with `BackupRefused`, before it takes its place. */
  check(connection: DatabaseAddress): Promise<void>
  readonly log: Log
}

/** The restored backup, and the folder of the replaced database. */
export interface Restored {
  readonly header: BackupHeader
  readonly movedTo: string | null
}

/**
 * Restores a backup into a data folder whose server is stopped. The backup is read to its end before anything
 * is written, then unpacked beside the cluster, started once, checked, and renamed into place. Anything that
 * is wrong before the renaming leaves the data folder as it was.
 */
export async function restoreCluster(input: RestoreInput): Promise<Restored> {
  const { accept, check, file, isReplacing, log } = input
  const wanted = resolve(input.dataDir)
  await mkdir(wanted, { recursive: true, mode: OWNER_ONLY })
  const dataDir = await realpath(wanted)
  const header = await verifyArchive(file, dataDir, accept)
  await finishSwap(dataDir)
  await refuseUsedFolder(dataDir, isReplacing)
  const account = await postgresAccount({ log }, [join(dataDir, CLUSTER_NAME), dataDir])
  const draft = join(dataDir, DRAFT_PREFIX + uniqueName())
  await mkdir(draft, { mode: account === null ? OWNER_ONLY : PASSABLE })
  try {
    await unpack({ account, draft, file, log }, header)
    await recover(draft, log, check)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
  return { header, movedTo: await swapIn(dataDir, draft) }
}
/** PostgreSQL's account passes through the draft. */
const PASSABLE = 0o711

/** Reads the whole backup, which must fit on the disk, and writes nothing. */
async function verifyArchive(
  file: string,
  dataDir: string,
  accept: RestoreInput['accept'],
): Promise<BackupHeader> {
  const { bavail, bsize } = await statfs(dataDir)
  let bytes = 0
  return await readArchive(file, {
    header: accept,
    async chunk({ length }) {
      bytes += length
      if (bytes > bavail * bsize)
        throw new BackupRefused(
          `the backup needs more than the ${bavail * bsize} bytes that are free in ${dataDir}`,
        )
    },
  })
}

async function refuseUsedFolder(dataDir: string, isReplacing: boolean): Promise<void> {
  const cluster = join(dataDir, CLUSTER_NAME)
  if (!existsSync(cluster)) return
  const { address, close } = await (await clusterAddress(dataDir)).open(cluster)
  try {
    const state = await inspectCluster(address, () => readSecret(dataDir))
    if (state.kind === 'ready') await state.session.end()
    if (state.kind !== 'absent')
      throw new BackupRefused(`the database in ${dataDir} is running: stop the server first`)
  } finally {
    await close()
  }
  if (!isReplacing)
    throw new BackupRefused(
      `${dataDir} has a database: restore into an empty folder, or add --replace, which moves it aside`,
    )
}

interface Unpacking {
  readonly account: PostgresAccount
  readonly draft: string
  readonly file: string
  readonly log: Log
}

/** Makes an empty cluster for its settings, and replaces everything else by the backup. */
async function unpack({ account, draft, file, log }: Unpacking, header: BackupHeader): Promise<void> {
  const binaries = await postgresBinaries({ log }, { account, dataDir: draft })
  const signal = new AbortController().signal
  await createCluster({ account, binaries }, { dataDir: draft, signal })
  const cluster = join(draft, CLUSTER_NAME)
  await refuseOtherPostgres(cluster, header)
  for (const name of await readdir(cluster))
    if (!isConfiguration([CLUSTER_NAME, name])) await rm(join(cluster, name), { recursive: true })
  const own = async (path: string) => {
    if (account !== null) await chown(path, account.uid, account.gid)
  }
  let current: FileHandle | null = null
  const closeCurrent = async () => {
    await current?.close()
    current = null
  }
  try {
    await readArchive(file, {
      async folder(path) {
        await mkdir(join(draft, path), { recursive: true, mode: OWNER_ONLY })
        await own(join(draft, path))
      },
      async file(path) {
        await closeCurrent()
        current = await open(join(draft, path), 'w', FILE_MODE)
        if (path !== 'session-secret') await own(join(draft, path))
      },
      chunk: async (bytes) => void (await current?.writeFile(bytes)),
    })
  } finally {
    await closeCurrent()
  }
}

async function refuseOtherPostgres(cluster: string, { machine, postgres }: BackupHeader): Promise<void> {
  const handle = await open(join(cluster, 'PG_VERSION'))
  const version = (await handle.readFile('utf8').finally(() => handle.close())).trim()
  const here = `${process.platform}-${process.arch}`
  if (version !== postgres)
    throw new BackupRefused(
      `the backup is of PostgreSQL ${postgres}, and this version of Burgee has ${version}`,
    )
  if (machine !== here)
    throw new BackupRefused(`the backup is of a machine ${machine}, and this one is ${here}`)
}

/** Starts the unpacked cluster, which replays its log, checks it, and stops it. */
async function recover(draft: string, log: Log, check: RestoreInput['check']): Promise<void> {
  const started = await startEmbeddedPostgres({ dataDir: draft, log }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackupRefused(`PostgreSQL does not start on the backup: ${reason}`)
  })
  try {
    await check(started.connection)
  } finally {
    await started.close()
  }
}
