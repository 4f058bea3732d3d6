import { spawnSync } from 'node:child_process'
import { freePort } from './free-port.ts'
import type { Stage } from './open-stage.ts'
import { type RunningProcess, runProcess } from './run-process.ts'

const PROGRAM = 'redis-server'

export interface RunningRedis extends RunningProcess {
  readonly url: string
}

/** Returns why there is no Redis here; null when there is one. */
export function whyNoRedis(): string | null {
  return spawnSync(PROGRAM, ['--version']).error ? `${PROGRAM} is not installed` : null
}

/** Starts a Redis on a free port or the given one, and waits until it is ready. */
export async function startRedis(stage: Stage, givenPort?: number): Promise<RunningRedis> {
  const port = givenPort ?? (await freePort())
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const redis = runProcess(stage, PROGRAM, { args, cwd: stage.folder('redis') })
  await redis.line(/Ready to accept connections/)
  return { ...redis, url: `redis://127.0.0.1:${port}` }
}
