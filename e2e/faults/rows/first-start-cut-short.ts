import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import type { Stage } from '../../harness/open-stage.ts'
import { processesIn } from '../../harness/processes-in.ts'
import { runServer, startServer } from '../../harness/start-server.ts'
import { PATIENCE_MS, within } from '../../harness/within.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'

const ROUNDS = { short: 1, full: 4 }
const LOOK_INTERVAL_MS = 2
const SIGNALS = ['SIGTERM', 'SIGKILL'] as const

const draftOf = (dataDir: string): string | null => {
  const draft = readdirSync(dataDir).find((name) => name.startsWith('.postgresql-init-'))
  return draft === undefined ? null : join(dataDir, draft)
}

/** The moments of a first start, in order: what has just appeared in the data folder. */
const MOMENTS: readonly ((dataDir: string) => boolean)[] = [
  (dataDir) => existsSync(join(dataDir, 'session-secret')),
  (dataDir) => existsSync(join(dataDir, 'postgresql-password')),
  (dataDir) => draftOf(dataDir) !== null,
  (dataDir) => existsSync(join(draftOf(dataDir) ?? dataDir, 'PG_VERSION')),
  (dataDir) => existsSync(join(draftOf(dataDir) ?? dataDir, 'global', 'pg_control')),
  (dataDir) => existsSync(join(dataDir, 'postgresql')),
  (dataDir) => existsSync(join(dataDir, 'postgresql', 'postmaster.pid')),
  (dataDir) => existsSync(join(dataDir, 'postgresql', '.s.PGSQL.5432')),
]

/** The moments of the short run. SIGTERM has separate tests. */
const FEWER_MOMENTS = { SIGTERM: [], SIGKILL: [6] }

interface Cut {
  readonly signal: (typeof SIGNALS)[number]
  readonly moment: number
}

/**
 * Starts a server with a new folder, sends it the signal at the moment, and returns what was left although
 * the signal was SIGTERM.
 */
async function cutShort(stage: Stage, dataDir: string, { moment, signal }: Cut): Promise<string[]> {
  const server = runServer(stage, { dataDir })
  let hasEnded = false
  void server.exited.then(() => {
    hasEnded = true
  })
  const deadline = performance.now() + PATIENCE_MS
  while (MOMENTS[moment]?.(dataDir) !== true) {
    if (hasEnded || performance.now() > deadline) return [`a start never came to moment ${moment}`]
    await delay(LOOK_INTERVAL_MS)
  }
  server.kill(signal)
  const ended = await within(PATIENCE_MS, `the end after ${signal} at moment ${moment}`, server.exited)
  if (signal === 'SIGKILL') return []
  const left = await processesIn(dataDir)
  const broken = left.map(
    (line) => `after a SIGTERM at moment ${moment} a process was still running: ${line}`,
  )
  if (existsSync(join(dataDir, 'postgresql', 'postmaster.pid')))
    broken.push(`a SIGTERM at moment ${moment} left postmaster.pid`)
  // Before its first line runs, the process has no handler and has started nothing.
  if (ended !== 0 && ended !== 'SIGTERM')
    broken.push(`a SIGTERM at moment ${moment} ended the start with ${ended}`)
  return broken
}

/** Starts a server with what is left, and stops it. Returns the problems. */
async function startAfter(stage: Stage, dataDir: string, { moment, signal }: Cut): Promise<string[]> {
  const server = await startServer(stage, { dataDir })
  const code = await server.stop()
  const broken = code === 0 ? [] : [`the start after ${signal} at moment ${moment} ended with ${code}`]
  await eventually(async () => (await processesIn(dataDir)).length === 0, PATIENCE_MS).catch(() =>
    broken.push(`after ${signal} at moment ${moment} a process was still running at the end`),
  )
  return broken
}

export const fault: Fault = {
  group: 'crashes',
  title: 'A SIGTERM or a SIGKILL during the first start',
  promise:
    'After a SIGTERM no process is left. After either signal, the next start with the same folder works.',
  async run(stage, scale) {
    const rounds = countOf(scale, ROUNDS)
    const broken: string[] = []
    let signals = 0
    const tryAll = async (signal: Cut['signal']) => {
      for (let round = 0; round < rounds; round += 1) {
        for (const moment of scale === 'full' ? MOMENTS.keys() : FEWER_MOMENTS[signal]) {
          // Moments are recognized by the content of the folder, so each needs an empty one.
          const dataDir = realpathSync(stage.folder(`data-${signal}-${round}-${moment}`))
          broken.push(...(await cutShort(stage, dataDir, { moment, signal })))
          broken.push(...(await startAfter(stage, dataDir, { moment, signal })))
          rmSync(dataDir, { recursive: true })
          signals += 1
        }
      }
    }
    await Promise.all(SIGNALS.map(tryAll))
    return {
      times: `${signals} signals at ${scale === 'full' ? MOMENTS.length : 1} moments`,
      seen: broken.length === 0 ? 'no process was left, and every start worked' : `${broken.length} broken`,
      broken,
    }
  },
}
