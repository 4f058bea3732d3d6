import { setTimeout } from 'node:timers/promises'
import { EXCEEDED_BOUNDS_MAX, type ExceededBound } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { nextTurn } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import type { ExceededBounds } from './find-exceeded-bounds.ts'
import { listProjectIds } from './project-queries.ts'

interface ExceededBoundsLogDeps {
  readonly db: Kysely<Database>
  readonly log: Log
  readonly exceededBounds: ExceededBounds
}

/** The pause between two steps, so that requests have the processor and the database before the search. */
const PAUSE_MS = 5

/** Logs once what exceeds a bound. */
interface ExceededBoundsLog {
  /** Starts the search, when the server listens. */
  start(): void
  close(): Promise<void>
}

/**
 * Creates the log of what was stored before a bound and exceeds it: one line for each, at most 1,000 after a
 * start. Each instance logs at its own start.
 */
export function createExceededBoundsLog({
  db,
  exceededBounds,
  log,
}: ExceededBoundsLogDeps): ExceededBoundsLog {
  const stop = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let lines = 0

  async function beforeStep(): Promise<void> {
    await setTimeout(PAUSE_MS, undefined, { signal: stop.signal })
    await nextTurn()
  }

  function write(found: readonly ExceededBound[]): void {
    for (const { environment_id, key, kind, message, project_id, resource } of found) {
      if (lines >= EXCEEDED_BOUNDS_MAX) return
      lines += 1
      // Not under `key`, which the log masks.
      log.warn({ bound: kind, project_id, environment_id, resource: `${resource}:${key}` }, message)
    }
  }

  async function search(): Promise<void> {
    write(await exceededBounds.ofWorkspace(beforeStep))
    for (const project_id of await listProjectIds(db)) {
      if (lines >= EXCEEDED_BOUNDS_MAX) break
      write(await exceededBounds.ofProject(project_id, () => true, beforeStep))
    }
    if (lines >= EXCEEDED_BOUNDS_MAX)
      log.warn({ lines }, 'More may exceed a bound. Reduce these, and look at the list of each project.')
  }

  return {
    start() {
      running = search().catch((err: unknown) => {
        if (!stop.signal.aborted) log.warn({ err }, 'what exceeds a bound was not read')
      })
    },
    close() {
      stop.abort()
      return running
    },
  }
}
