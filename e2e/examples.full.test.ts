import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, describe, expect, type TestContext, test } from 'vitest'
import { createTestDatabase, type TestDatabase, toUrl } from '../packages/server/test/harness/database.ts'
import { callApi, patchFlag, putFlag, signIn } from './harness/call-api.ts'
import { launchBrowser } from './harness/launch-browser.ts'
import { createStage } from './harness/open-stage.ts'
import { skipBecause } from './harness/skip-because.ts'
import { neededVariables, startExample } from './harness/start-example.ts'
import { startServer } from './harness/start-server.ts'

/** The command of an example, and one that fails where its toolchain or its registry is missing. */
interface Example {
  readonly name: string
  readonly command: readonly string[]
  readonly needs: readonly string[]
}

const NPM = { command: ['npm', 'start'], needs: ['npm', 'view', 'express@5.3.0', 'version'] }
const SERVERS: readonly Example[] = [
  { name: 'fastify', ...NPM },
  { name: 'express', ...NPM },
  { name: 'hono', ...NPM },
  { name: 'nestjs', ...NPM },
  {
    name: 'python-ofrep',
    command: ['./start.sh'],
    needs: ['python3', '-m', 'pip', 'index', 'versions', 'openfeature-provider-ofrep'],
  },
  { name: 'go-ofrep', command: ['go', 'run', '.'], needs: ['go', 'version'] },
]
const PAGES: readonly Example[] = [
  { name: 'nextjs', ...NPM },
  { name: 'react-spa', ...NPM },
]
/** Longer than any installation. */
const LIMITS = { timeout: 600_000 }
const PROBE_MS = 60_000
/** A page beside installations and builds. */
const PAGE_MS = 90_000
const execFileAsync = promisify(execFile)
const PATH = '/?user=anna&plan=pro'

/** One server for all, where each example has an environment of its own. */
const stage = createStage()
let database: TestDatabase | undefined
let server: Promise<Opened> | undefined
afterAll(async () => {
  await stage.close()
  await database?.drop()
})

describe('each example starts with one command', () => {
  test.for(SERVERS)('$name responds by the flags of each request', LIMITS, async (example, context) => {
    const { change, url } = await running(example, context)
    const read = async () => (await fetch(url + PATH)).json()

    await expect.poll(read).toEqual({ checkout: 'old', theme: 'dark' })
    await change()
    await expect.poll(read).toEqual({ checkout: 'new', theme: 'dark' })
    expect(await (await fetch(`${url}/?user=bo`)).json()).toEqual({ checkout: 'new', theme: 'light' })
  })

  test.for(PAGES)('the page of $name follows flags without a reload', LIMITS, async (example, context) => {
    const browser = await launchBrowser(context)
    const { change, url } = await running(example, context)
    if (example.name === 'nextjs') {
      const html = await (await fetch(url + PATH)).text()
      expect(html).toContain('Add to basket')
      expect(html).toContain('class="dark"')
      expect(html).not.toContain('Buy now')
    }
    const page = await browser.newPage()
    page.setDefaultTimeout(PAGE_MS)
    const problems: string[] = []
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()))

    await page.goto(url + PATH)
    await page.locator('nav .live', { hasText: 'Flags are live' }).waitFor()
    await page.locator('main.dark button', { hasText: 'Add to basket' }).waitFor()
    await change()
    await page.locator('main.dark button', { hasText: 'Buy now' }).waitFor()
    expect(problems).toEqual([])
  })
})

type Opened = Awaited<ReturnType<typeof openServer>>
type Started = Awaited<ReturnType<typeof start>> | { readonly missing: string }

/** The examples that start while others are tested: they wait for registries as much as for processors. */
const starting = new Map<Example, Promise<Started>>()
const LANES = 3

/** Returns a running example, which stops with the test. */
async function running(example: Example, context: TestContext) {
  const isFirst = server === undefined
  server ??= openServer()
  const opened = await server
  if (isFirst) startAll(opened)
  const attempt = starting.get(example) ?? startOrNot(example, opened)
  // A repeated test starts it again.
  starting.delete(example)
  const started = await attempt
  if ('missing' in started) skipBecause(context, started.missing)
  context.onTestFinished(started.stop)
  return started
}

function startAll(opened: Opened): void {
  const lanes: Promise<unknown>[] = Array.from({ length: LANES }, () => Promise.resolve())
  // Pages are built, which takes longest.
  for (const [index, example] of [...PAGES, ...SERVERS].entries()) {
    const attempt = Promise.resolve(lanes[index % LANES]).then(() => startOrNot(example, opened))
    starting.set(example, attempt)
    lanes[index % LANES] = attempt.catch(() => undefined)
  }
}

async function startOrNot(example: Example, opened: Opened): Promise<Started> {
  const missing = await missingTools(example)
  return missing === null ? start(example, opened) : { missing }
}

/** Starts an example with an environment of its own, which has the flags of all examples. */
async function start(example: Example, { admin, projectId, serverUrl }: Opened) {
  const call = async (path: string, body: object) => {
    const answer = await callApi(serverUrl, 'POST', path, body, admin)
    expect(answer.status).toBe(200)
    return answer.body
  }
  const slug = `${example.name}-${randomBytes(3).toString('hex')}`
  const project = `/api/projects/${projectId}`
  const { id } = await call(`${project}/environments`, { name: slug, slug })
  await putFlag(serverUrl, id, { key: 'new-checkout', is_enabled: false }, admin)
  const theme = {
    key: 'theme',
    flag_type: 'string',
    default_value: 'light',
    rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'], variant: 'dark' }],
  }
  await putFlag(serverUrl, id, theme, admin)
  const { key } = await call(`${project}/keys`, { name: slug, environment_id: id, kind: 'client' })
  const env = { BURGEE_URL: serverUrl, BURGEE_SDK_KEY: key }
  const { stop, url } = await startExample(stage, example.name, example.command, env)
  const change = () => patchFlag(serverUrl, id, 'new-checkout', { is_enabled: true }, admin)
  return { url, stop, change }
}

async function openServer() {
  database = await createTestDatabase()
  const { url: serverUrl } = await startServer(stage, { databaseUrl: toUrl(database.connection) })
  const admin = await signIn(serverUrl)
  const { body } = await callApi(serverUrl, 'GET', '/api/projects', undefined, admin)
  return { serverUrl, admin, projectId: body[0].id }
}

/** Commands whose end is awaited only once. */
const probes = new Map<string, Promise<string | null>>()

/** Returns what an example lacks on this machine; null when nothing. */
function missingTools({ needs: [command = '', ...args] }: Example): Promise<string | null> {
  const name = [command, ...args].join(' ')
  const probe = probes.get(name) ?? runProbe(command, args)
  probes.set(name, probe)
  return probe
}

async function runProbe(command: string, args: readonly string[]): Promise<string | null> {
  try {
    const env = { PATH: process.env.PATH, ...neededVariables() }
    await execFileAsync(command, args, { timeout: PROBE_MS, env })
    return null
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    return `the toolchain or its registry is missing: ${reason}`
  }
}
