import type { Clock } from '../../platform/clock.ts'
import type { OpenDatabase } from '../../platform/db/connect.ts'
import type { Log } from '../../platform/log/log.ts'
import { findChains } from './chain-queries.ts'

const EVERY_MS = 10 * 60_000
/** The chains of one log line. */
const LINE_CHAINS = 100

interface AnchorLog {
  close(): Promise<void>
}

/**
 * Logs the heads of the chains that moved, every ten minutes: a kept log can be compared with the database
 * later.
 */
export function startAnchorLog({
  clock,
  db,
  log,
}: {
  readonly clock: Clock
  readonly db: OpenDatabase['db']
  readonly log: Log
}): AnchorLog {
  let since = clock.now().toISOString()
  async function write(): Promise<void> {
    const movedAfter = since
    since = clock.now().toISOString()
    const moved = await findChains(db, { movedAfter })
    for (let at = 0; at < moved.length; at += LINE_CHAINS) {
      const chains = moved
        .slice(at, at + LINE_CHAINS)
        .map(({ chain, head, seq }) => ({ chain, seq, hash: head }))
      log.info({ chains }, 'heads of the audit log')
    }
  }
  let writing: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    writing = writing
      .then(write)
      .catch((err: unknown) => log.warn({ err }, 'heads of the audit log were not read'))
  }, EVERY_MS)
  return {
    close: () => {
      clearInterval(timer)
      return writing
    },
  }
}
