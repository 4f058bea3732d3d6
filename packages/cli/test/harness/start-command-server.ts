import { startTestServer, type TestServer } from '../../../server/test/harness/start-test-server.ts'
import { type Outcome, run } from './run.ts'

type Env = Readonly<Record<string, string>>

/** A server, and the login of a person for the command. */
export interface CommandServer extends TestServer {
  readonly token: string
  /** The address and the token. */
  readonly env: { readonly BURGEE_URL: string; readonly BURGEE_TOKEN: string }
  /** Runs the command for the server's project. */
  readonly burgee: (args: readonly string[], cwd?: string, env?: Env) => Promise<Outcome>
}

/** Starts a server and creates a personal token. */
export async function startCommandServer(
  scope: 'read_only' | 'read_write' = 'read_write',
): Promise<CommandServer> {
  const server = await startTestServer()
  const body = { name: 'command', scope }
  const { token } = (await server.call({ path: '/api/tokens', body })).body
  const env = { BURGEE_URL: server.url, BURGEE_TOKEN: token }
  const burgee: CommandServer['burgee'] = (args, cwd, further = {}) =>
    run(args, {
      env: { ...env, BURGEE_PROJECT: server.project.slug, ...further },
      ...(cwd !== undefined && { cwd }),
    })
  return { ...server, token, env, burgee }
}
