import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../packages/server/test/harness/eventually.ts'
import { callApi } from './harness/call-api.ts'
import { freePort } from './harness/free-port.ts'
import { openStage, type Stage } from './harness/open-stage.ts'
import { type RunningProcess, runProcess } from './harness/run-process.ts'
import { ADMIN, SDK_KEY } from './harness/start-server.ts'

const THROW_ON_REQUEST = new URL('./programs/throw-on-request.mjs', import.meta.url).href
const START = fileURLToPath(new URL('../scripts/start.mjs', import.meta.url))
const NODE_OPTIONS = `--import ${THROW_ON_REQUEST}`

let stage: Stage

beforeEach(() => {
  stage = openStage()
})

/** Runs `npm start`, with the errors on request. */
async function startSupervised(env: Record<string, string> = {}) {
  const port = await freePort()
  const supervisor = runProcess(stage, process.execPath, {
    args: [START],
    cwd: stage.folder('working-folder'),
    env: {
      PORT: String(port),
      DATA_DIR: stage.folder('data'),
      SETUP_ADMIN_EMAIL: ADMIN.email,
      SETUP_ADMIN_PASSWORD: ADMIN.password,
      SETUP_SDK_KEY: SDK_KEY,
      NODE_OPTIONS,
      ...env,
    },
  })
  return { supervisor, port, url: `http://127.0.0.1:${port}` }
}

const isGone = (url: string) => () =>
  fetch(`${url}/health`).then(
    () => false,
    () => true,
  )
/** Returns the server of a supervisor. */
function serverOf(supervisor: RunningProcess): number {
  const { pid } = supervisor
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])
}

/** Occupies the port as soon as it is free. */
async function takePort(port: number): Promise<void> {
  const taker = createServer()
  onTestFinished(() => void taker.close())
  await eventually(
    () =>
      new Promise<boolean>((resolve) => {
        taker.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
      }),
    30_000,
  )
}

const isHealthy = (url: string) => async () => (await fetch(`${url}/health`)).status === 200

describe('npm start', () => {
  test('npm start restarts a crashed server, reports it, and stops it at the end', async () => {
    const first = await startSupervised()
    await first.supervisor.line(/^Burgee is listening/)

    await fetch(`${first.url}/throw`).catch(() => undefined)
    await first.supervisor.line(
      /^Burgee ended unexpectedly \(with exit code 70\)\. Starting it again in 0\.5 s\.$/,
    )
    await eventually(isHealthy(first.url), 30_000)
    expect((await callApi(first.url, 'GET', '/flags/snapshot')).status).toBe(200)

    await fetch(`${first.url}/reject`).catch(() => undefined)
    await first.supervisor.line(/Starting it again in 1 s\.$/)
    await eventually(isHealthy(first.url), 30_000)

    first.supervisor.kill('SIGTERM')
    expect(await first.supervisor.exited).toBe(0)
    expect(await isGone(first.url)()).toBe(true)

    const second = await startSupervised()
    await second.supervisor.line(/^Burgee is listening/)
    second.supervisor.kill('SIGKILL')
    await eventually(isGone(second.url), 30_000)
  })

  test('npm start ends with a server that stops on purpose, also after an earlier crash', async () => {
    const { supervisor, url } = await startSupervised()
    await supervisor.line(/^Burgee is listening/)
    await fetch(`${url}/throw`).catch(() => undefined)
    await supervisor.line(/Starting it again in 0\.5 s\.$/)
    await eventually(isHealthy(url), 30_000)

    process.kill(serverOf(supervisor), 'SIGTERM')

    expect(await supervisor.exited).toBe(0)
    expect(await isGone(url)()).toBe(true)
  })

  test('npm start ends with a server that cannot start again after a crash', async () => {
    const { port, supervisor, url } = await startSupervised({ HOST: '127.0.0.1' })
    await supervisor.line(/^Burgee is listening/)
    await fetch(`${url}/throw`).catch(() => undefined)
    await takePort(port)

    expect(await supervisor.exited).toBe(1)
    expect(supervisor.errors()).toContain('The port is in use already')
    expect(supervisor.errors().match(/Starting it again/g)).toHaveLength(1)
  })

  test('npm start does not restart a server that refuses its settings', async () => {
    const { supervisor } = await startSupervised({ LOG_LEVEL: 'loud' })
    expect(await supervisor.exited).toBe(1)
    expect(supervisor.output()).not.toContain('again')
    expect(supervisor.errors()).toContain('LOG_LEVEL is "loud"')
  })
})
