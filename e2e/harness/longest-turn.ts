import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Stage } from './open-stage.ts'
import { type RunningServer, type ServerOptions, startServer } from './start-server.ts'

const PROGRAM = new URL('../programs/longest-turn.mjs', import.meta.url).href

export interface MeasuredServer extends RunningServer {
  /** Returns the longest turn of the event loop since the last call, in milliseconds of processor time. */
  longestTurnMs(): Promise<number>
}

/** Runs the built server with a program that measures its turns. Needs Linux. */
export async function startMeasuredServer(stage: Stage, options: ServerOptions): Promise<MeasuredServer> {
  const portFile = join(stage.folder('longest-turn'), 'port')
  const { NODE_OPTIONS = '', ...env } = options.env ?? {}
  const server = await startServer(stage, {
    ...options,
    env: {
      ...env,
      NODE_OPTIONS: `${NODE_OPTIONS} --import ${PROGRAM}`.trim(),
      LONGEST_TURN_PORT_FILE: portFile,
    },
  })
  const port = await readFile(portFile, 'utf8')
  return {
    ...server,
    longestTurnMs: async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text()),
  }
}
