import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import type { Endpoint } from '@burgee/contract'
import { startApp } from '../../src/app.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import { createPasswordHasher } from '../../src/platform/crypto/password.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { loadConfig } from '../../src/platform/settings/config.ts'
import { createAnswerCheck, createReplyCheck } from './check-reply.ts'
import { watchExchange, watchPrinted, watchSettings } from './collect-secrets.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { requireNoLeak } from './require-no-leak.ts'
import { SHARED_VALIDATORS } from './shared-validators.ts'

export const ADMIN = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
export const SESSION_SECRET = 'a-session-secret-for-tests-of-32-characters'
const SETUP_TOKEN = 'setup-token-of-the-tests'

/** The caller: the set-up admin's session, anonymous, a bearer, or a cookie (with the CSRF header). */
export type As = 'admin' | 'anonymous' | { bearer: string } | { cookie: string }

export interface Call {
  readonly method?: string
  readonly path: string
  /** The body, sent as JSON; a string or bytes are sent as they are. */
  readonly body?: unknown
  readonly as?: As
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any
  readonly headers: Headers
}

export interface TestServer {
  readonly url: string
  readonly database: TestDatabase
  readonly cookie: string
  readonly sdkKey: string
  readonly project: { readonly id: string; readonly slug: string; readonly name: string }
  readonly environments: {
    readonly production: string
    readonly staging: string
    readonly development: string
  }
  /** Returns everything that was logged so far. */
  readonly logged: () => string
  readonly printed: readonly string[]
  call(call: Call): Promise<Answer>
  /**
   * Watches a secret that the harness cannot know, such as a webhook's: it must not occur anywhere from now
   * on.
   */
  watchSecret(secret: string): void
  /**
   * Closes the server. It fails when a secret is in the log, an error body or the database
   * (docs/reference/api.md#error-bodies).
   */
  close(): Promise<void>
}

const LOADER = new URL('./register-typescript.mjs', import.meta.url).href

interface Options {
  /** A database that several servers share, which this one does not drop. */
  readonly database?: TestDatabase
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** True where the stored hashes are tested: others are made at a cost that takes no time. */
  readonly fullPasswordCost?: boolean
  /** False for a fresh workspace, where only `call` and `url` can be used. */
  readonly setUp?: boolean
}

/** Starts the whole service with its own database and a free port, set up by default. */
export async function startTestServer(options: Options = {}): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase())
  const lines: string[] = []
  const printed: string[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const errorBodies = new Set<string>()
  const env = {
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: database.url,
    SESSION_SECRET,
    DATABASE_OWNER_URL: database.ownerUrl,
    SETUP_TOKEN,
    LOG_LEVEL: 'debug',
    ...options.env,
  }
  watchSettings(database.secrets, env)
  const config = loadConfig(env)
  const checkReply = createReplyCheck((endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`)
  const checkAnswer = createAnswerCheck(checkReply)
  const app = await startApp(config, {
    log: createLog(config.logLevel, sink),
    clock: options.clock ?? systemClock,
    print: (line) => {
      watchPrinted(database.secrets, line)
      printed.push(line)
    },
    onReply: checkReply,
    validators: SHARED_VALIDATORS,
    childArgs: ['--import', LOADER, '-C', 'burgee-source'],
    ...(!options.fullPasswordCost && { passwords: createPasswordHasher(CHEAP) }),
  })
  const sendAs = (adminCookie: string) => async (request: Call) => {
    let { answer, text } = await send(app.url, adminCookie, request)
    // Tests that advance the clock go on as an admin who has just confirmed the password.
    if (isAsAdmin(request) && answer.body?.reason === 'reauthentication_required') {
      await confirmAdmin(database, options.clock ?? systemClock)
      ;({ answer, text } = await send(app.url, adminCookie, request))
    }
    const { headers, status } = answer
    if (headers.get('content-type')?.startsWith('application/json')) {
      const method = request.method ?? (request.body === undefined ? 'GET' : 'POST')
      checkAnswer({ method, path: request.path, status, body: answer.body })
    }
    if (status >= 400) errorBodies.add(text)
    watchExchange(database.secrets, {
      body: request.body,
      status,
      setCookie: headers.get('set-cookie'),
      text,
    })
    return answer
  }
  const state = options.setUp === false ? NOT_SET_UP : await setUp(sendAs)
  const call = sendAs(state.cookie)
  return {
    url: app.url,
    database,
    ...state,
    logged: () => lines.join(''),
    printed,
    call,
    watchSecret: (secret) => database.secrets.watch(secret, 'secret'),
    async close() {
      await app.close()
      try {
        await requireNoLeak(database.secrets, { log: lines.join(''), errorBodies }, database.pool)
      } finally {
        if (!options.database) await database.drop()
      }
    },
  }
}

const isAsAdmin = ({ as = 'admin' }: Call): boolean => as === 'admin'

async function confirmAdmin({ pool }: TestDatabase, clock: Clock): Promise<void> {
  const ofAdmin = 'user_id = (select id from users where email = $2)'
  const values = [clock.now().toISOString(), ADMIN.email]
  await pool.query(`update sessions set authenticated_at = $1 where ${ofAdmin}`, values)
}

/** The least that argon2id allows. */
const CHEAP = { memoryCost: 8, timeCost: 1 }

const NOT_SET_UP = {
  cookie: '',
  sdkKey: '',
  project: { id: '', slug: '', name: '' },
  environments: { production: '', staging: '', development: '' },
}

type SendAs = (adminCookie: string) => (request: Call) => Promise<Answer>

async function setUp(sendAs: SendAs) {
  const body = {
    workspace_name: 'Test',
    project_name: `Shop ${randomBytes(3).toString('hex')}`,
    admin: ADMIN,
  }
  const as = { bearer: SETUP_TOKEN }
  const answer = await sendAs('')({ method: 'POST', path: '/api/setup', body, as })
  if (answer.status !== 200) return signIn(sendAs)
  const { environments, project, sdk_key } = answer.body
  return {
    cookie: cookieOf(answer.headers),
    sdkKey: sdk_key.key,
    project,
    environments: bySlug(environments),
  }
}

/** Signs in to a second server on a database that is set up already. */
async function signIn(sendAs: SendAs) {
  const { email, password } = ADMIN
  const login = await sendAs('')({
    method: 'POST',
    path: '/api/auth/login',
    body: { email, password },
    as: 'anonymous',
  })
  const cookie = cookieOf(login.headers)
  const call = sendAs(cookie)
  const projects = await call({ path: '/api/projects' })
  const project = projects.body[0]
  const environments = await call({ path: `/api/projects/${project.id}/environments` })
  return { cookie, sdkKey: '', project, environments: bySlug(environments.body) }
}

const bySlug = (environments: { slug: string; id: string }[]): TestServer['environments'] => {
  const id = (slug: string) => environments.find((environment) => environment.slug === slug)?.id ?? ''
  return { production: id('production'), staging: id('staging'), development: id('development') }
}

export const cookieOf = (headers: Headers): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''

async function send(
  url: string,
  adminCookie: string,
  { as = 'admin', body, headers, method, path }: Call,
): Promise<{ answer: Answer; text: string }> {
  const response = await fetch(url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...credentialHeaders(as, adminCookie),
      ...(isText(body) || body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isText(body) ? body : JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await response.text()
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
  const bodyRead = isJson && text ? JSON.parse(text) : text
  return { answer: { status: response.status, body: bodyRead, headers: response.headers }, text }
}

const isText = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array

function credentialHeaders(as: As, adminCookie: string): Record<string, string> {
  if (as === 'anonymous') return {}
  if (as === 'admin') return { cookie: adminCookie, 'x-flagservice-request': 'true' }
  if ('bearer' in as) return { authorization: `Bearer ${as.bearer}` }
  return { cookie: as.cookie, 'x-flagservice-request': 'true' }
}
