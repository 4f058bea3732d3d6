import { callApi } from '../../harness/call-api.ts'
import { countOf } from '../count-of.ts'
import { attackDoors, type Door } from '../credentials/attack-doors.ts'
import { createSender, loopbackAddress, type SentRequest } from '../credentials/send-from.ts'
import type { Fault } from '../fault.ts'
import { openPlace, type Place } from '../shared-server.ts'

const ROUNDS = { short: 1, full: 1 }
const AT_ONCE = { short: 3, full: 5 }
const MIB = 1024 * 1024
const USERS = 10_000
/** Headers of requests that a page of another site can make a browser send. */
const FOREIGN = [
  { host: 'evil.example' },
  { host: 'localhost.evil.example' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
]

export const fault: Fault = {
  group: 'bodies',
  title:
    'Applies of 300 flags, of 10,000 users in a dry run, of 9 MiB, of circles and of invalid items, notes about drift with invented keys and long texts, and messages to `/mcp` that are batches, deep, large, no messages or from pages of other sites, 5 at the same time',
  promise:
    'Each is answered or refused with 4xx or 503. Pages of other sites get 403. A project has at most 1,000 notes. Flags of another environment are written and read within 3 s meanwhile. No connection is left afterwards, and memory grows by at most 150 MB after the first round.',
  async run(_stage, scale) {
    const settings = { MCP: 'true' }
    const place = await openPlace(settings)
    const victim = await openPlace(settings)
    const senders = Array.from({ length: AT_ONCE[scale] }, (_, at) =>
      createSender(place.url, loopbackAddress(at)),
    )
    const leave = () => {
      for (const { close } of senders) close()
    }
    const flood: Flood = (requestOf) =>
      Promise.all(senders.map(({ send }, at) => send({ headers: place.headers, ...requestOf(at) })))
    const wrong: string[] = []
    const made = await callApi(
      place.url,
      'POST',
      '/api/tokens',
      { name: 'agent', scope: 'read_write' },
      place.admin,
    )
    const second = { name: 'second', slug: 'second' }
    const environments = `/api/projects/${place.projectId}/environments`
    const other = await callApi(place.url, 'POST', environments, second, place.admin)
    const doors = [...applyDoors(place, other.body.id, flood), ...mcpDoors(made.body.token, flood, wrong)]
    try {
      const { broken, seen, times } = await attackDoors(victim, {
        doors,
        rounds: countOf(scale, ROUNDS),
        scale,
        leave,
      })
      const notes = await callApi(
        place.url,
        'GET',
        `/api/projects/${place.projectId}/drift-notes`,
        undefined,
        place.admin,
      )
      if (notes.body.length > NOTES_MAX) broken.push(`the project has ${notes.body.length} notes`)
      return { times, seen: `${seen}; ${notes.body.length} notes`, broken: [...broken, ...new Set(wrong)] }
    } finally {
      leave()
    }
  },
}
const NOTES_MAX = 1_000

type Flood = (requestOf: (index: number) => SentRequest) => Promise<readonly number[]>

/** Posts a text that all requests share, which is encoded once. */
const posting = (flood: Flood, path: string) => (body: object | string) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return () => flood(() => ({ method: 'POST', path, body: text }))
}

function applyDoors(
  { admin, environmentId, projectId }: Place,
  other: string,
  flood: Flood,
): readonly Door[] {
  const apply = posting(flood, `/api/environments/${environmentId}/apply`)
  const flags = Array.from({ length: 1_000 }, (_, at) => ({
    key: `applied-${at}`,
    is_enabled: true,
    tags: ['a'],
  }))
  const users = Array.from({ length: USERS }, (_, at) => ({
    user_key: `user-${at}`,
    ...(at % 2 === 0 && { attributes: { plan: 'pro', country: 'CH', age: at, note: 'x'.repeat(100) } }),
  }))
  const circle = flags.map(({ key }, at) => ({
    key,
    prerequisites: [{ flag_key: `applied-${(at + 1) % 300}` }],
  }))
  const rules = Array.from({ length: 400 }, () => ({
    attribute: 'plan',
    operator: 'matches',
    values: ['(a|b)*c'],
  }))
  const note = (index: number) => ({
    source: environmentId,
    target: index % 3 === 2 ? 'x'.repeat(index * 100) : other,
    reason: 'x'.repeat(index % 2 === 0 ? 500 : 100_000),
    owner_email: 'a@example.com',
  })
  return [
    apply({ flags, dry_run: true, users }),
    apply({ flags, name: 'flood' }),
    apply({ flags: circle }),
    apply({ flags: flags.slice(0, 2).map(({ key }) => ({ key, rules })), dry_run: true, users }),
    apply({ flags: [], name: 'flood', prune: true, dry_run: true }),
    apply({ flags: flags.map(() => ({ key: 'x y', rollout_percentage: 'all', rules: [{}] })) }),
    apply({
      segments: Array.from({ length: 200 }, (_, at) => ({
        key: `s-${at}`,
        name: 'S',
        rules: [{ segment_key: `s-${at + 1}` }],
      })),
    }),
    apply(`{"flags":[{"key":"long","description":"${'x'.repeat(8 * MIB)}"}]}`),
    apply(`{"users":${'['.repeat(9 * MIB - 100)}`),
    apply(`{"users":[${'{"user_key":null},'.repeat(200_000)}{"user_key":null}],"dry_run":true}`),
    (round) =>
      flood((index) => ({
        method: 'PUT',
        path: `/api/projects/${projectId}/drift-notes/invented-${round}-${index}`,
        headers: admin,
        body: note(index),
      })),
  ]
}

function mcpDoors(token: string, flood: Flood, wrong: string[]): readonly Door[] {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const withToken: Flood = (requestOf) => flood((index) => ({ headers, ...requestOf(index) }))
  const send = posting(withToken, '/mcp')
  const call = (id: number, name: string, args: object) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name, arguments: args },
  })
  const long = 'x'.repeat(200_000)
  return [
    send(Array.from({ length: 1_000 }, (_, id) => call(id, 'find_flags', { environment: 'production' }))),
    send('['.repeat(250_000)),
    send({ jsonrpc: '2.0', id: 1, method: long }),
    send(call(1, 'find_flags', { environment: long, query: long })),
    send(call(1, 'get_flag', { environment: '../..', flag_key: '%00/../../setup' })),
    send(
      call(1, 'explain_evaluation', {
        flag_key: 'a',
        attributes: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [at, at])),
      }),
    ),
    send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: 'none', capabilities: {} },
    }),
    send('x'.repeat(MIB)),
    async () => {
      const statuses = await flood((index) => ({
        ...{ method: 'POST', path: '/mcp', body: call(1, 'find_flags', {}) },
        headers: { ...headers, ...FOREIGN[index % FOREIGN.length] },
      }))
      for (const status of statuses)
        if (status !== FORBIDDEN && status !== TOO_MANY)
          wrong.push(`a request of another site to /mcp returned ${status}`)
      return statuses
    },
    () => flood(() => ({ method: 'POST', path: '/mcp', body: call(1, 'find_flags', {}) })),
  ]
}
const FORBIDDEN = 403
const TOO_MANY = 429
