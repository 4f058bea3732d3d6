import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from './harness/call-api.ts'
import { openStage, type Stage } from './harness/open-stage.ts'
import { runProcess } from './harness/run-process.ts'
import { type ExternalPostgres, startPostgres } from './harness/start-postgres.ts'
import { ADMIN, startServer } from './harness/start-server.ts'
import { PATIENCE_MS, within } from './harness/within.ts'

const PROGRAM = fileURLToPath(new URL('../packages/server/dist/bundle/admin.js', import.meta.url))

/** Passwords are off, and the identity provider is not there. */
const WITHOUT_PASSWORDS = {
  PASSWORD_LOGIN: 'off',
  OIDC_ISSUER: 'http://localhost:1',
  OIDC_CLIENT_ID: 'burgee',
  OIDC_CLIENT_SECRET: 'a-client-secret-of-the-tests',
  PUBLIC_URL: 'http://localhost:2',
}

let postgres: ExternalPostgres

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

/** Runs the command of the operator, and returns its exit code and its output. */
async function allow(stage: Stage, email: string, env: Record<string, string>) {
  const program = runProcess(stage, process.execPath, {
    args: [PROGRAM, 'allow-password', email],
    cwd: stage.folder('working-folder'),
    env,
  })
  const code = await within(PATIENCE_MS, 'the end of the command', program.exited)
  return { code, output: program.output() }
}

test.each(['embedded', 'external'] as const)(
  'the operator lets an account use its password for an hour, with an %s database and beside the server',
  async (kind) => {
    const stage = openStage()
    const dataDir = stage.folder('data')
    const place =
      kind === 'embedded' ? { DATA_DIR: dataDir } : { DATABASE_URL: await postgres.createDatabase() }
    const server = await startServer(stage, {
      ...(kind === 'embedded' ? { dataDir } : { databaseUrl: String(place.DATABASE_URL) }),
      env: WITHOUT_PASSWORDS,
    })
    const logIn = async () => (await callApi(server.url, 'POST', '/api/auth/login', ADMIN, {})).status
    expect(await logIn()).toBe(403)

    const allowed = await allow(stage, ADMIN.email.toUpperCase(), place)

    expect(allowed).toMatchObject({ code: 0 })
    expect(allowed.output).toContain(`${ADMIN.email} may sign in with the password until`)
    expect(await logIn()).toBe(200)
    const unknown = await allow(stage, 'unknown@example.com', place)
    expect(unknown).toMatchObject({ code: 1 })
    expect(unknown.output).toContain('There is no account with the e-mail address unknown@example.com.')
    await server.stop()
    if (kind === 'embedded') expect(await allow(stage, ADMIN.email, place)).toMatchObject({ code: 0 })
  },
)

test('the command explains itself, and says where it looked for the database', async () => {
  const stage = openStage()
  const run = async (args: readonly string[], env = {}) => {
    const program = runProcess(stage, process.execPath, {
      args: [PROGRAM, ...args],
      cwd: stage.folder('working-folder'),
      env,
    })
    return { code: await within(PATIENCE_MS, 'the end', program.exited), output: program.output() }
  }

  const usage = await run([])
  expect(usage.code).toBe(2)
  expect(usage.output).toContain('Usage: npm run admin -- allow-password <e-mail>')
  const nowhere = await run(['allow-password', 'a@b.c'], { DATA_DIR: stage.folder('empty') })
  expect(nowhere.code).toBe(1)
  expect(nowhere.output).toContain('There is no database in')
})
