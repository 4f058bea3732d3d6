import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from './clock.ts'
import type { ClusterSession } from './cluster-lock.ts'
import type { Log } from './log.ts'
import type { Installation } from './postgres-program.ts'
import { type Cluster, DataDirInUse, type TakenCluster, takeCluster } from './take-cluster.ts'

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 5_000

type Deps = { log: Log; clock: Clock; installation: Installation }

/**
 * Takes the cluster, runs `prepare` on it, and keeps it running until closed (`signal` aborts only the
 * start). When the lock's session ends unexpectedly, PostgreSQL has crashed or was killed, so it is started
 * and locked again.
 */
export async function superviseCluster(
  deps: Deps,
  cluster: Cluster,
  input: { signal: AbortSignal; prepare: (session: ClusterSession) => Promise<void> },
): Promise<{ close(): Promise<void> }> {
  const stop = new AbortController()
  let taken = await takeCluster(deps, cluster, { known: null, signal: input.signal })
  try {
    await input.prepare(taken.session)
    input.signal.throwIfAborted()
  } catch (error) {
    await release(taken)
    throw error
  }

  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      await endOf(taken.session, stop.signal)
      if (stop.signal.aborted) return
      deps.log.error('the embedded PostgreSQL stopped unexpectedly: starting it again')
      const again = await takeAgain(deps, cluster, taken, stop.signal)
      if (again === null) return
      taken = again
      deps.log.info('the embedded PostgreSQL runs again')
    }
  }

  const watching = watch()
  return {
    async close() {
      stop.abort()
      await watching
      await release(taken)
    },
  }
}

function endOf(session: ClusterSession, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    void session.ended.then(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Takes the cluster again; null when the server is closing, or another one has taken the data folder. */
async function takeAgain(
  deps: Deps,
  cluster: Cluster,
  lost: TakenCluster,
  signal: AbortSignal,
): Promise<TakenCluster | null> {
  const known = lost.postmaster
  let pauseMs = FIRST_RETRY_MS
  while (!signal.aborted) {
    try {
      return await takeCluster(deps, cluster, { known, signal })
    } catch (err) {
      if (signal.aborted) return null
      deps.log.error({ err }, 'the embedded PostgreSQL could not be started again')
      if (err instanceof DataDirInUse) return null
      await delay(pauseMs, undefined, { signal }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, LAST_RETRY_MS)
    }
  }
  return null
}

/**
 * Releases the lock after PostgreSQL has ended, so that a successor waits instead of meeting one that shuts
 * down.
 */
async function release({ postmaster, session }: TakenCluster): Promise<void> {
  await postmaster.stop()
  await session.end()
}
