import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { watchSettings } from '../../packages/server/test/harness/collect-secrets.ts'
import { createSecretWatch } from '../../packages/server/test/harness/secret-watch.ts'
import type { Stage } from './open-stage.ts'
import { type RunningProcess, runProcess } from './run-process.ts'
import { PATIENCE_MS, within } from './within.ts'

export const ADMIN = { email: 'ada@example.com', password: 'correct horse battery' }
export const SDK_KEY = 'sk_live_end_to_end_0123456789abcdefghijklmn'

const MAIN = fileURLToPath(new URL('../../packages/server/dist/bundle/main.js', import.meta.url))
export const SESSION_SECRET = 'a-session-secret-for-tests-of-32-characters'

export interface ServerOptions {
  /** An external database; without one `dataDir` has the embedded one. */
  readonly databaseUrl?: string
  readonly dataDir?: string
  readonly port?: number
  readonly redisUrl?: string
  /** A program with its first arguments that runs the server's command line, such as `unshare`. */
  readonly launcher?: readonly string[]
  /** The arguments of Node for the server; those of its bundle unless given. */
  readonly program?: readonly string[]
  /** Additional settings, which may replace the usual ones. */
  readonly env?: Readonly<Record<string, string>>
}

export interface RunningServer extends RunningProcess {
  readonly url: string
  /** Asks it to stop and waits until it has. */
  stop(): Promise<number | NodeJS.Signals>
}

/**
 * Runs the built server in its own process without waiting. The test fails if the server writes a secret of
 * its settings.
 */
export function runServer(stage: Stage, options: ServerOptions): RunningProcess {
  const { dataDir, databaseUrl, port = 0, redisUrl } = options
  const env = {
    PORT: String(port),
    SETUP_ADMIN_EMAIL: ADMIN.email,
    SETUP_ADMIN_PASSWORD: ADMIN.password,
    SETUP_SDK_KEY: SDK_KEY,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, SESSION_SECRET }),
    ...(dataDir !== undefined && { DATA_DIR: dataDir }),
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    ...options.env,
  }
  const { launcher = [], program = [MAIN] } = options
  const [command = process.execPath, ...args] = [...launcher, process.execPath, ...program]
  const server = runProcess(stage, command, {
    args,
    cwd: stage.folder('working-folder'),
    env,
  })
  const secrets = createSecretWatch()
  watchSettings(secrets, env)
  onTestFinished(() => {
    expect(secrets.findIn([{ place: 'the output', text: server.output() }])).toEqual([])
  })
  return server
}

/** Runs the built server, and waits until it listens and is set up. */
export async function startServer(stage: Stage, options: ServerOptions): Promise<RunningServer> {
  const server = runServer(stage, options)
  const line = await within(PATIENCE_MS, 'a server that listens', server.line(LISTENING))
  const port = LISTENING.exec(line)?.[1]
  return {
    ...server,
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.kill('SIGTERM')
      return within(PATIENCE_MS, 'the end of a server after SIGTERM', server.exited)
    },
  }
}
const LISTENING = /^Burgee is listening on http:\/\/localhost:(\d+)$/
