import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import type { Stage } from '../../harness/open-stage.ts'
import { processesIn } from '../../harness/processes-in.ts'
import { runServer, startServer } from '../../harness/start-server.ts'
import type { Fault } from '../fault.ts'

const ROUNDS = { short: 1, full: 15 }
const LOOK_INTERVAL_MS = 2
const PATIENCE_MS = 30_000

const draftOf = (data_dir: string): string | null => {
  const draft = readdirSync(data_dir).find((name) => name.startsWith('.postgresql-init-'))
  return draft === undefined ? null : join(data_dir, draft)
}

/** Moments of a first start, in their order: what has just appeared in the data folder. */
const MOMENTS: readonly ((data_dir: string) => boolean)[] = [
  (data_dir) => existsSync(join(data_dir, 'session-secret')),
  (data_dir) => existsSync(join(data_dir, 'postgresql-password')),
  (data_dir) => draftOf(data_dir) !== null,
  (data_dir) => existsSync(join(draftOf(data_dir) ?? data_dir, 'PG_VERSION')),
  (data_dir) => existsSync(join(draftOf(data_dir) ?? data_dir, 'global', 'pg_control')),
  (data_dir) => existsSync(join(data_dir, 'postgresql')),
  (data_dir) => existsSync(join(data_dir, 'postgresql', 'postmaster.pid')),
  (data_dir) => existsSync(join(data_dir, 'postgresql', '.s.PGSQL.5432')),
]

/** Those of the short run. */
const FEWER_MOMENTS = { SIGTERM: [2, 3, 5, 6, 7], SIGKILL: [3, 6] }

/** Starts a server, sends it the signal at the moment, and returns what was left although the signal was SIGTERM. */
async function cutShort(
  stage: Stage,
  data_dir: string,
  { moment, signal }: { moment: number; signal: 'SIGTERM' | 'SIGKILL' },
): Promise<string[]> {
  const server = runServer(stage, { data_dir })
  let hasEnded = false
  void server.exited.then(() => {
    hasEnded = true
  })
  while (!hasEnded && MOMENTS[moment]?.(data_dir) !== true) await delay(LOOK_INTERVAL_MS)
  server.kill(signal)
  const ended = await server.exited
  if (signal === 'SIGKILL') return []
  const left = await processesIn(data_dir)
  const broken = left.map((line) => `after a SIGTERM at moment ${moment} a process was left: ${line}`)
  if (existsSync(join(data_dir, 'postgresql', 'postmaster.pid')))
    broken.push(`a SIGTERM at moment ${moment} left postmaster.pid`)
  // Before its first line runs, the process has no handler, and has started nothing.
  if (ended !== 0 && ended !== 'SIGTERM')
    broken.push(`a SIGTERM at moment ${moment} ended the start with ${ended}`)
  return broken
}

export const fault: Fault = {
  group: 'crashes',
  title: 'A SIGTERM or a SIGKILL in the middle of the first start',
  promise: 'A SIGTERM leaves no process behind, and the next start on the folder works after either signal.',
  async run(stage, scale) {
    const broken: string[] = []
    let signals = 0
    for (let round = 0; round < ROUNDS[scale]; round += 1) {
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        // One folder for all moments: each start goes on with what the one before it left.
        const data_dir = realpathSync(stage.folder(`data-${signal}-${round}`))
        for (const moment of scale === 'full' ? MOMENTS.keys() : FEWER_MOMENTS[signal]) {
          broken.push(...(await cutShort(stage, data_dir, { moment, signal })))
          signals += 1
        }
        const server = await startServer(stage, { data_dir })
        const code = await server.stop()
        if (code !== 0) broken.push(`the server that came after ended with ${code}`)
        await eventually(async () => (await processesIn(data_dir)).length === 0, PATIENCE_MS).catch(() =>
          broken.push(`after ${signal} something was left running in the end`),
        )
      }
    }
    const times = `${signals} signals at ${MOMENTS.length} moments`
    return {
      times,
      seen: broken.length === 0 ? 'nothing was left, and every start worked' : `${broken.length} broken`,
      broken,
    }
  },
}
