import { execFileSync } from 'node:child_process'
import type { TestContext } from 'vitest'
import { expect, test } from 'vitest'
import { createKeyFor, environmentOf, patchFlag, putFlag } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { launchBrowser } from './harness/launch-browser.ts'
import { openStage, type Stage } from './harness/open-stage.ts'
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
const PATH = '/?user=anna&plan=pro'

test.for(SERVERS)(
  'the example $name answers by the flags of each request',
  LIMITS,
  async (example, context) => {
    skipWithoutTools(example, context)
    const { change, env, stage } = await openServer()
    const url = await startExample(stage, example.name, example.command, env)
    const read = async () => (await fetch(url + PATH)).json()

    await expect.poll(read).toEqual({ checkout: 'old', theme: 'dark' })
    await change()
    await expect.poll(read).toEqual({ checkout: 'new', theme: 'dark' })
    expect(await (await fetch(`${url}/?user=bo`)).json()).toEqual({ checkout: 'new', theme: 'light' })
  },
)

test.for(PAGES)(
  'the page of the example $name follows flags without a reload',
  LIMITS,
  async (example, context) => {
    skipWithoutTools(example, context)
    const browser = await launchBrowser(context)
    const { change, env, stage } = await openServer()
    const url = await startExample(stage, example.name, example.command, env)
    if (example.name === 'nextjs') {
      const html = await (await fetch(url + PATH)).text()
      expect(html).toContain('Add to basket')
      expect(html).toContain('class="dark"')
      expect(html).not.toContain('Buy now')
    }
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()))

    await page.goto(url + PATH)
    await page.locator('nav .live', { hasText: 'Flags are live' }).waitFor()
    await page.locator('main.dark button', { hasText: 'Add to basket' }).waitFor()
    await change()
    await page.locator('main.dark button', { hasText: 'Buy now' }).waitFor()
    expect(problems).toEqual([])
  },
)

async function openServer() {
  const stage: Stage = openStage()
  const server = await startServer(stage, { databaseUrl: await cloneDatabase() })
  const environment_id = await environmentOf(server.url)
  await putFlag(server.url, environment_id, { key: 'new-checkout', is_enabled: false })
  await putFlag(server.url, environment_id, {
    key: 'theme',
    flag_type: 'string',
    default_value: 'light',
    rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'], variant: 'dark' }],
  })
  const { key } = await createKeyFor(server.url, 'production', 'client')
  return {
    stage,
    env: { BURGEE_URL: server.url, BURGEE_SDK_KEY: key },
    change: () => patchFlag(server.url, environment_id, 'new-checkout', { is_enabled: true }),
  }
}

function skipWithoutTools({ needs: [command = '', ...args] }: Example, context: TestContext): void {
  try {
    const env = { PATH: process.env.PATH, ...neededVariables() }
    execFileSync(command, args, { stdio: 'pipe', timeout: PROBE_MS, env })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    skipBecause(context, `the toolchain or its registry is missing: ${reason}`)
  }
}
