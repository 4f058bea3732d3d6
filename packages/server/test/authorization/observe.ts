import { type Endpoint, endpoints } from '@burgee/contract'
import { eventually } from '../harness/eventually.ts'
import { readStream } from '../harness/read-stream.ts'
import type { Caller } from './caller.ts'
import type { Plan } from './plans/plan.ts'
import type { World } from './world.ts'

export type EndpointName = keyof typeof endpoints
export const ENDPOINT_NAMES = Object.keys(endpoints) as EndpointName[]

/** Formats an endpoint as in `expected.md`: `GET /api/projects/{project_id}`. */
export function titleOf(name: EndpointName): string {
  const { method, path } = endpoints[name]
  return `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
}

/** Returns the names in a path, in order. */
export const paramsOf = (name: EndpointName): string[] =>
  [...endpoints[name].path.matchAll(/:(\w+)/g)].map(([, param]) => param ?? '')

interface Seen {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
  readonly body: any
  readonly headers: Headers
}

/** Sends the request; returns the content of the cell: a status, `ok`, `own` or `all`. */
export async function observe(world: World, name: EndpointName, caller: Caller, plan: Plan): Promise<string> {
  const sender = plan.sender ?? caller
  const path = fillPath(endpoints[name], plan)
  const seen = await send(world, name, { path, sender, body: plan.body })
  if (seen.status >= 400) {
    const error = seen.body.error?.message ?? seen.body.error
    return typeof error === 'string' ? String(seen.status) : `${seen.status} without an error body`
  }
  if (seen.status >= 300) return String(seen.status)
  const show = SHOWN[name]
  return show ? check(await show(world, seen, sender)) : 'ok'
}

function fillPath({ path }: Endpoint, { params = {}, query }: Plan): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, param: string) => String(params[param]))
  return query ? `${filled}?${new URLSearchParams(query)}` : filled
}

interface Sent {
  readonly path: string
  readonly sender: Caller
  readonly body: unknown
}

async function send(world: World, name: EndpointName, { body, path, sender }: Sent): Promise<Seen> {
  const { headers } = sender
  const endpoint: Endpoint = endpoints[name]
  if (endpoint.produces === 'text/event-stream') return openStream(world.server.url + path, headers)
  return world.server.call({
    method: endpoint.method,
    path,
    as: 'anonymous',
    headers,
    ...(body !== undefined && { body }),
  })
}

/** Reads a stream to the end of its bootstrap; its body is the list of its events. */
async function openStream(url: string, headers: Caller['headers']): Promise<Seen> {
  const stream = await readStream(url, headers)
  // The event stream of OFREP has no bootstrap.
  if (stream.status === 200) await eventually(() => /^event: ready|^retry: 1000\n\n/m.test(stream.text()))
  else await eventually(() => stream.ended())
  stream.close()
  const body = stream.status === 200 ? stream.events : JSON.parse(stream.text())
  return { status: stream.status, headers: stream.headers, body }
}

/** The ids in a response, the caller's own ids, and all ids. */
interface Shown {
  readonly ids: readonly string[]
  readonly own: readonly string[]
  readonly all: readonly string[]
}

function check({ all, ids, own }: Shown): string {
  const isShown = (id: string) => ids.includes(id)
  if (own.every(isShown) && ids.every((id) => own.includes(id))) return 'own'
  return all.every(isShown) ? 'all' : `shows ${ids.join(', ')} and not just ${own.join(', ')}`
}

type Show = (world: World, seen: Seen, caller: Caller) => Promise<Shown>

/** Endpoints that accept every caller, with a different response for each. */
const SHOWN: Partial<Record<EndpointName, Show>> = {
  listProjects: async ({ abroad, home }, { body }, { sees }) => ({
    ids: body.map(({ id }: { id: string }) => id),
    own: sees.projectIds,
    all: [home.project_id, abroad.project_id],
  }),
  listAccessTokens: async ({ server }, { body }, { identity }) => {
    const tokens = await server.database.db.selectFrom('access_tokens').select(['id', 'user_id']).execute()
    return {
      ids: body.map(({ id }: { id: number }) => String(id)),
      own: tokens.filter((token) => identity === `user:${token.user_id}`).map(({ id }) => String(id)),
      all: tokens.map(({ id }) => String(id)),
    }
  },
  openStream: async ({ abroad, home }, { body }, { sees }) => ({
    ids: body
      .filter(({ event }: { event: string }) => event === 'update')
      .map(({ data }: { data: { env_id: string } }) => data.env_id),
    own: sees.environmentIds,
    all: [...home.environmentIds, ...abroad.environmentIds],
  }),
  getSnapshot: async ({ abroad, home }, { headers }, { sees }) => ({
    ids: [headers.get('x-environment-id') ?? 'none'],
    own: sees.environmentIds,
    all: [...home.environmentIds, ...abroad.environmentIds],
  }),
}
