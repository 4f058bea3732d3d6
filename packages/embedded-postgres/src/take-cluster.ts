import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ruleFor } from './authentication-file.ts'
import type { Clock } from './clock.ts'
import { type ClusterSession, inspectCluster, type Refusal } from './cluster-lock.ts'
import { readSecret, secretFile } from './cluster-secret.ts'
import type { DatabaseAddress } from './database-address.ts'
import type { Log } from './log.ts'
import type { Installation } from './postgres-program.ts'
import type { PostgresSettings } from './postgres-settings.ts'
import { type Postmaster, startPostmaster } from './postmaster.ts'
import { readPostmasterPid, removeForeignLockFiles } from './postmaster-file.ts'
import { stopOrphan } from './stop-orphan.ts'

/** Thrown when another running server uses the data folder. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(
      `another Burgee server is running on the data folder ${dataDir}: stop it, or give this one another DATA_DIR`,
    )
    this.name = 'DataDirInUse'
  }
}

/**
 * Thrown when the password of the data folder is missing or wrong, or the rules of the database reject
 * Burgee.
 */
export class ClusterRefused extends Error {
  constructor({ dataDir, folder }: { dataDir: string; folder: string }, by: Refusal) {
    const rules = join(folder, 'pg_hba.conf')
    super(
      by === 'password'
        ? `${secretFile(dataDir)} does not contain the password of the database in ${folder}: ` +
            'restore the file that belongs to it, or delete it and replace the contents of ' +
            `${rules} by "${ruleFor(process.platform, 'trust')}", and Burgee sets a new password at the next start`
        : `the rules in ${rules} reject Burgee: replace the contents of the file by ` +
            `"${ruleFor(process.platform, 'scram-sha-256')}"`,
    )
    this.name = 'ClusterRefused'
  }
}

export type Cluster = {
  dataDir: string
  /** The folder of PostgreSQL's files. */
  folder: string
  address: Pick<DatabaseAddress, 'host' | 'port'>
  settings: PostgresSettings
}

/** A running PostgreSQL that this process has started and locked. */
export type TakenCluster = { postmaster: Postmaster; session: ClusterSession }

const LOOK_INTERVAL_MS = 20

/** The wait for the lock. A killed server frees it within milliseconds, a running one never does. */
const LOCK_PATIENCE_MS = 1_500

/** The wait after another server was detected, so that two do not undo each other's work. */
const RIVAL_PAUSE_MS = 500

/** The wait for recovery, which replays at most 512 MB of log. Several minutes mean a fault. */
const READY_PATIENCE_MS = 300_000

/**
 * Errors of a start after which the next one may succeed: another server's PostgreSQL is starting or
 * stopping.
 */
const PASSING_FAILURE = /lock file|shared memory block|could not bind/i
const MAX_PASSING_FAILURES = 40

/**
 * The attempts after refusals. A server that sets the passwords of an old cluster finishes within them; a
 * wrong password stays wrong.
 */
const MAX_REFUSALS = 50

type Deps = { log: Log; clock: Clock; installation: Installation }

/**
 * Runs PostgreSQL on the cluster as a child of this process, holding the lock. One that a killed server left
 * behind is stopped first (committed work is safe in its files), so there is always one state: our child, our
 * settings, our log. `known` is a child that may still run. Throws `DataDirInUse`, without leaving a process
 * behind, when another server holds the lock.
 */
export async function takeCluster(
  deps: Deps,
  cluster: Cluster,
  input: { known: Postmaster | null; signal: AbortSignal },
): Promise<TakenCluster> {
  const postmaster = input.known?.exited() === null ? input.known : null
  const attempt: Attempt = { postmaster, failures: 0, refusals: 0, rivalSince: null }
  const deadline = deps.clock.monotonicMs() + READY_PATIENCE_MS
  try {
    while (deps.clock.monotonicMs() < deadline && !input.signal.aborted) {
      const taken = await step(deps, cluster, attempt)
      if (taken !== null) return taken
      await delay(LOOK_INTERVAL_MS)
    }
    input.signal.throwIfAborted()
    throw new Error(`the embedded PostgreSQL in ${cluster.dataDir} did not become ready`)
  } catch (error) {
    await attempt.postmaster?.stop()
    throw error
  }
}

type Attempt = {
  postmaster: Postmaster | null
  failures: number
  refusals: number
  rivalSince: number | null
}

async function step(deps: Deps, cluster: Cluster, attempt: Attempt): Promise<TakenCluster | null> {
  const state = await inspectCluster(cluster.address, () => readSecret(cluster.dataDir))
  switch (state.kind) {
    case 'refused':
      attempt.refusals += 1
      if (attempt.refusals > MAX_REFUSALS) throw new ClusterRefused(cluster, state.by)
      return null
    case 'busy':
      return null
    case 'absent':
      await startUnlessRunning(deps, cluster, attempt)
      return null
    case 'ready':
      if (state.locked) return useOrReplace(deps, cluster, attempt, state.session)
      await state.session.end()
      attempt.rivalSince ??= deps.clock.monotonicMs()
      if (deps.clock.monotonicMs() - attempt.rivalSince <= LOCK_PATIENCE_MS) return null
      throw new DataDirInUse(cluster.dataDir)
  }
}

async function useOrReplace(
  deps: Deps,
  cluster: Cluster,
  { postmaster }: Attempt,
  session: ClusterSession,
): Promise<TakenCluster | null> {
  const pid = await readPostmasterPid(cluster.folder)
  if (postmaster !== null && pid !== null && pid === postmaster.pid) return { postmaster, session }
  await stopOrphan(deps, cluster, { session, pid })
  return null
}

async function startUnlessRunning(deps: Deps, cluster: Cluster, attempt: Attempt): Promise<void> {
  const reason = attempt.postmaster?.exited()
  if (reason === null) return
  if (reason !== undefined) {
    attempt.failures += 1
    const passing = PASSING_FAILURE.test(reason) && attempt.failures <= MAX_PASSING_FAILURES
    if (!passing) throw new Error(`the embedded PostgreSQL could not start: ${reason}`)
  }
  if (attempt.rivalSince !== null) await delay(RIVAL_PAUSE_MS)
  await removeForeignLockFiles(cluster.folder)
  attempt.postmaster = await startPostmaster(deps, { cluster: cluster.folder, settings: cluster.settings })
}
