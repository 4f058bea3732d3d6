import { Agent } from 'node:http'
import { type Endpoint, endpoints } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendWireRequest } from '../../fuzz/send-wire-request.ts'
import { longestLogLine } from '../../harness/longest-log-line.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

/** With the other headers just below the limit of 16 KiB for a head. */
const LONG = 15_500
const ERROR_MAX_CHARACTERS = 4_000
const LOG_LINE_MAX_CHARACTERS = 8_000
const LANES = 8
/** It would end the session of all requests. */
const LEFT_OUT = '/api/auth/logout'

const repeat = (text: string) => text.repeat(Math.floor(LONG / text.length))
const QUERIES: Readonly<Record<string, string>> = {
  'one name': repeat('a'),
  'one value': `q=${repeat('a')}`,
  'many names': repeat('a=&'),
  'separators alone': repeat('&'),
  'signs that are no encoding': `q=${repeat('%')}`,
  'encoded twice': `q=${repeat('%2525')}`,
  brackets: `q${repeat('[]')}=1`,
  'what makes objects in some languages': repeat('__proto__[a]=1&'),
}
const SEGMENTS: Readonly<Record<string, string>> = {
  letters: repeat('a'),
  digits: repeat('9'),
  slashes: repeat('%2F'),
  'ways up': repeat('..%2F'),
  NUL: repeat('%00'),
  'four bytes each': repeat('%F0%9F%98%80'),
  'no encoding': repeat('%zz'),
}

const agent = new Agent({ keepAlive: true, maxSockets: LANES })
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'info', METRICS_TOKEN: 'metrics-token-of-the-tests' } })
})
afterAll(async () => {
  agent.destroy()
  await server.close()
})

/** Fills the path with existing ids, except for a DELETE, and `segment` for one parameter. */
function fill({ method, path }: Endpoint, replaced?: { name: string; segment: string }): string {
  const exists = method !== 'DELETE'
  const known: Readonly<Record<string, string>> = {
    project_id: exists ? server.project.id : 'none',
    env_id: exists ? server.environments.production : 'none',
    key: 'none',
  }
  return path.replaceAll(/:(\w+)/g, (_, name: string) =>
    name === replaced?.name ? replaced.segment : (known[name] ?? '999999'),
  )
}

/** Sends the URL with the session of the administrator. Returns the problem of the response, or null. */
async function send({ method }: Endpoint, path: string): Promise<string | null> {
  const headers = {
    cookie: server.cookie,
    'x-flagservice-request': 'true',
    ...(method !== 'GET' && method !== 'DELETE' && { 'content-type': 'application/json' }),
  }
  const body = 'content-type' in headers ? Buffer.from('{}') : undefined
  const answer = await sendWireRequest({ agent, url: server.url }, { method, path, headers, body })
  if (answer.status >= 500 || answer.status === 431) return `returned ${answer.status}`
  if (answer.status < 400) return null
  if (answer.body.length > ERROR_MAX_CHARACTERS) return `an error has ${answer.body.length} characters`
  const { error } = JSON.parse(answer.body)
  return typeof (error?.message ?? error) === 'string' ? null : 'an error says nothing'
}

interface Try {
  readonly about: string
  readonly endpoint: Endpoint
  readonly path: string
}

async function sendAll(tries: readonly Try[]): Promise<readonly string[]> {
  const problems: string[] = []
  const waiting = [...tries]
  const lane = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const problem = await send(next.endpoint, next.path)
      if (problem !== null)
        problems.push(`${next.endpoint.method} ${next.endpoint.path}, ${next.about}: ${problem}`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return problems
}

const ALL = Object.values<Endpoint>(endpoints).filter(({ path }) => path !== LEFT_OUT)

/** Returns the names of the query parameters that an endpoint declares. */
const queryNames = ({ query }: Endpoint): readonly string[] => Object.keys(Object(query).properties ?? {})

describe('a URL of 15 KB at every endpoint', () => {
  it('a long query gets a short response below 500', async () => {
    const tries = ALL.flatMap((endpoint) => {
      const declared = queryNames(endpoint).flatMap((name): [string, string][] => [
        [`a long ${name}`, `${name}=${repeat('9')}`],
        [`${name} many times`, repeat(`${name}=1&`)],
      ])
      return [...Object.entries(QUERIES), ...declared].map(([about, query]) => ({
        about,
        endpoint,
        path: `${fill(endpoint)}?${query}`,
      }))
    })
    expect(await sendAll(tries)).toEqual([])
  })

  it('a long id gets a short response below 500', async () => {
    const tries = ALL.flatMap((endpoint) =>
      [...endpoint.path.matchAll(/:(\w+)/g)].flatMap(([, name = '']) =>
        Object.entries(SEGMENTS).map(([about, segment]) => ({
          about: `${about} for ${name}`,
          endpoint,
          path: fill(endpoint, { name, segment }),
        })),
      ),
    )
    expect(await sendAll(tries)).toEqual([])
  })

  it('a long URL makes no long lines in the log', () => {
    expect(longestLogLine(server)).toBeLessThan(LOG_LINE_MAX_CHARACTERS)
  })
})
