import type { Endpoint } from '@burgee/contract'
import { bearer, callApi, environmentOf } from '../harness/call-api.ts'
import { ADMIN, SDK_KEY } from '../harness/start-server.ts'

/** One thing of every kind that a path names, and credentials for every endpoint. */
export interface World {
  readonly environment_id: string
  /** A key of the kind `client`. */
  readonly clientKey: string
  pathOf(endpoint: Endpoint): string
  headersFor(endpoint: Endpoint): Readonly<Record<string, string>>
}

/** The number of large flags. Together they are below the limit of one write. */
const HEAVY_FLAGS = 24
const HEAVY_CHARACTERS = 800_000

export async function openWorld(url: string): Promise<World> {
  const login = await callApi(url, 'POST', '/api/auth/login', ADMIN, {})
  const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const admin = { cookie, 'x-flagservice-request': 'true' }
  const asAdmin = async (method: string, path: string, body?: unknown) => {
    const answer = await callApi(url, method, path, body, admin)
    if (answer.status >= 300)
      throw new Error(`${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const environment_id = await environmentOf(url)
  const [project] = await asAdmin('GET', '/api/projects')
  const environments = `/api/projects/${project.id}/environments`
  const guarded = await asAdmin('POST', environments, { name: 'Guarded', slug: 'guarded' })
  const key = 'large'
  const flags = (id: string) => `/api/environments/${id}/flags`
  await asAdmin('POST', flags(environment_id), { key, is_enabled: true, flag_type: 'json' })
  await asAdmin('POST', flags(guarded.id), { key, is_enabled: true })
  await asAdmin('POST', `${environments}/${guarded.id}/require-approval`, { require_approval: true })
  const request = await asAdmin('PATCH', `${flags(guarded.id)}/${key}`, { is_enabled: false })
  await asAdmin('POST', `/api/environments/${environment_id}/segments`, { key, name: key })
  // A change of the segment sends all of these to SDKs.
  for (let nth = 0; nth < HEAVY_FLAGS; nth += 1) {
    const heavy = { key: `heavy-${nth}`, is_enabled: true, flag_type: 'string' }
    const default_value = 'x'.repeat(HEAVY_CHARACTERS)
    await asAdmin('POST', flags(environment_id), { ...heavy, default_value, rules: [{ segment_key: key }] })
  }
  await asAdmin('POST', `/api/environments/${environment_id}/experiments`, {
    key,
    name: key,
    flag_key: key,
    goal_event_key: key,
  })
  const receiver = 'https://example.invalid/hook'
  const webhook = await asAdmin('POST', `/api/environments/${environment_id}/webhooks`, {
    name: key,
    url: receiver,
    enabled: false,
  })
  const integration = await asAdmin('POST', `/api/environments/${environment_id}/integrations`, {
    kind: 'slack',
    name: key,
    webhook_url: receiver,
    events: ['flag.deleted'],
  })
  const user = await asAdmin('POST', '/api/users', {
    name: key,
    email: 'large@example.com',
    role: 'viewer',
    password: 'correct horse battery',
  })
  await asAdmin('POST', `/api/projects/${project.id}/members`, { user_id: user.id, role: 'viewer' })
  const client = await asAdmin('POST', `/api/projects/${project.id}/keys`, {
    name: 'client',
    environment_id,
    kind: 'client',
  })

  const ids: Readonly<Record<string, unknown>> = {
    webhook: webhook.id,
    integration: integration.id,
    user: user.id,
    change_request: request.change_request?.id ?? request.id,
  }
  return {
    environment_id,
    clientKey: client.key,
    pathOf({ addresses = '', path }) {
      const env = addresses === 'change_request' ? guarded.id : environment_id
      return path
        .replace(':project_id', project.id)
        .replace(':env_id', env)
        .replace(':user_id', String(user.id))
        .replace(':key', key)
        .replace(':id', String(ids[addresses]))
    },
    headersFor: ({ ingest }) => (ingest ? bearer(SDK_KEY) : admin),
  }
}
