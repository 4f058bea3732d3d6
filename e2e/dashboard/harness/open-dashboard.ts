import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, type TestContext } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../packages/server/test/harness/database.ts'
import { callApi, environmentOf, signIn } from '../../harness/call-api.ts'
import { startBrowser } from '../../harness/launch-browser.ts'
import { createStage } from '../../harness/open-stage.ts'
import { runProcess } from '../../harness/run-process.ts'
import { ADMIN, SDK_KEY, SESSION_SECRET } from '../../harness/start-server.ts'

const MAIN = fileURLToPath(new URL('../../../packages/server/dist/bundle/main.js', import.meta.url))
const LISTENING = /^Burgee is listening on http:\/\/localhost:(\d+)$/
const ACTION_PATIENCE_MS = 30_000

/** A person of the dashboard; `admin` is the one of the set-up. */
export interface Person {
  readonly email: string
  readonly password: string
}

export interface DashboardServer {
  readonly url: string
  readonly project_id: string
  /** The seeded environments, by slug: `production`, `staging`, `development`. */
  readonly environments: Readonly<Record<string, string>>
  /** Headers of an API call as the admin. */
  readonly admin: Readonly<Record<string, string>>
  /** Calls the API as the admin and insists on a success. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses freely
  call(method: string, path: string, body?: unknown): Promise<any>
  /** Runs a statement in the server's database, for what only time brings about. */
  runSql(statement: string, values: readonly unknown[]): Promise<void>
  /** The address of a page of an environment: `page('production', 'flags')`. */
  page(slug: string, path: string): string
  /** Another user, member of the first project with that role; `null` for none. */
  addPerson(name: string, projectRole: 'admin' | 'editor' | 'viewer' | null): Promise<Person>
}

export interface DashboardOptions {
  /** True if someone has set it up already; true unless given. */
  readonly isSetUp?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** One for all tests of a file, each with a window and cookies of its own. */
let sharedBrowser: Browser | undefined

/**
 * One real server for all tests of a file, with the built dashboard. It is made before the first test and
 * stopped after the last.
 */
export function serveDashboard({ isSetUp = true, env = {} }: DashboardOptions = {}): DashboardServer {
  let server: DashboardServer | undefined
  const stage = createStage()
  let database: TestDatabase | undefined
  beforeAll(async () => {
    database = await createTestDatabase()
    const running = runProcess(stage, process.execPath, {
      args: [MAIN],
      cwd: stage.folder('working-folder'),
      env: {
        PORT: '0',
        COOKIE_SECURE: 'false',
        LOG_LEVEL: 'error',
        DATABASE_URL: database.url,
        DATABASE_OWNER_URL: database.ownerUrl,
        SESSION_SECRET,
        ...(isSetUp && {
          SETUP_ADMIN_EMAIL: ADMIN.email,
          SETUP_ADMIN_PASSWORD: ADMIN.password,
          SETUP_SDK_KEY: SDK_KEY,
        }),
        // A build elsewhere than where the server looks by itself.
        ...(process.env.BURGEE_TEST_PUBLIC_DIR && { PUBLIC_DIR: process.env.BURGEE_TEST_PUBLIC_DIR }),
        ...env,
      },
    })
    const url = `http://127.0.0.1:${LISTENING.exec(await running.line(LISTENING))?.[1]}`
    server = isSetUp ? await describeServer(url, database) : notSetUp(url)
  })
  afterAll(async () => {
    await sharedBrowser?.close()
    sharedBrowser = undefined
    await stage.close()
    await database?.drop()
  })
  return new Proxy({} as DashboardServer, {
    get: (_, field) => {
      if (!server) throw new Error('the server is there in tests and hooks only')
      return server[field as keyof DashboardServer]
    },
  })
}

async function describeServer(url: string, { pool }: TestDatabase): Promise<DashboardServer> {
  const admin = await signIn(url)
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await callApi(url, method, path, body, admin)
    if (response.status >= 300)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body
  }
  const production = await environmentOf(url)
  const [{ id: project_id }] = await call('GET', '/api/projects')
  const list: { slug: string; id: string }[] = await call('GET', `/api/projects/${project_id}/environments`)
  const environments = { ...Object.fromEntries(list.map(({ slug, id }) => [slug, id])), production }
  return {
    url,
    project_id,
    environments,
    admin,
    call,
    runSql: async (statement, values) => {
      await pool.query(statement, [...values])
    },
    page: (slug, path) =>
      `${url}/projects/${project_id}/environments/${environments[slug as 'production']}/${path}`,
    addPerson: async (name, projectRole) => {
      const person = { email: `${name}@example.com`, password: 'correct horse battery' }
      const { id } = await call('POST', '/api/users', { name, role: 'viewer', ...person })
      if (projectRole) {
        await call('POST', `/api/projects/${project_id}/members`, { user_id: id, role: projectRole })
      }
      return person
    },
  }
}

const notSetUp = (url: string): DashboardServer => ({
  url,
  project_id: '',
  environments: {},
  admin: {},
  call: () => Promise.reject(new Error('nobody has set it up')),
  runSql: () => Promise.reject(new Error('nobody has set it up')),
  page: () => url,
  addPerson: () => Promise.reject(new Error('nobody has set it up')),
})

export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
}

export interface VisitOptions {
  /** The person who is signed in; the admin unless given, no one when null. */
  readonly as?: Person | null
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
}

const WIDE = { width: 1440, height: 900 }

/**
 * A browser window of someone who is signed in. The test fails when the page throws, breaks its
 * Content-Security-Policy, opens a dialog of the browser's, or writes an error to its console. Responses
 * that the test provokes, such as 401 and 412, are excepted.
 */
export async function visit(
  test: TestContext,
  server: DashboardServer,
  options: VisitOptions = {},
): Promise<Visitor> {
  const { close, ...visitor } = await openWindow(test, server, options)
  onTestFinished(close)
  return visitor
}

export interface OpenWindow extends Visitor {
  /** Closes the window, and fails when its page had a problem. */
  close(): Promise<void>
}

/** Opens a window as `visit` does, which the caller closes. */
export async function openWindow(
  test: TestContext,
  server: DashboardServer,
  options: VisitOptions = {},
): Promise<OpenWindow> {
  sharedBrowser ??= await startBrowser(test)
  const browser = sharedBrowser
  const context = await browser.newContext({
    viewport: options.viewport ?? WIDE,
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(ACTION_PATIENCE_MS)
  const problems: string[] = []
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      // biome-ignore lint/suspicious/noConsole: the way out of the page
      console.error(`policy broken: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`)
    })
  })
  context.on('console', (message) => {
    const isResponse = message.text().startsWith('Failed to load resource')
    // Over http from another machine, where this header has no effect.
    const isAboutHttp = message.text().startsWith('The Cross-Origin-Opener-Policy header has been ignored')
    if (message.type() === 'error' && !isResponse && !isAboutHttp) problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(error.error().message))
  context.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  const person = options.as === undefined ? ADMIN : options.as
  if (person) {
    const response = await context.request.post(`${server.url}/api/auth/login`, { data: person })
    expect(response.status()).toBe(200)
  }
  const page = await context.newPage()
  const close = async () => {
    await context.close()
    expect(problems).toEqual([])
  }
  return { page, context, close }
}
