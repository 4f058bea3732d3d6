import { ACCESS, type Endpoint, endpoints } from '@burgee/contract'
import { bearer, callApi, putFlag } from '../../harness/call-api.ts'
import type { Fault } from '../fault.ts'
import { openPlace, type Place } from '../shared-server.ts'

/** The endpoints that a key may call that reads and reports, beside the public ones. */
const ALLOWED = [
  ...['openStream', 'getSnapshot', 'ingestImpressions', 'ingestGoalEvents', 'acknowledge'],
  ...['evaluateFlag', 'evaluateFlags', 'openEvents'],
]
const OPEN_TO_ANYONE = ['public', 'setup_token']
const REFUSALS = [401, 403, 404]
const KINDS = ['reader', 'client'] as const

export const fault: Fault = {
  group: 'credentials',
  title:
    'Leaked SDK keys use every endpoint: a reader key, a client key, and a server key before and after it is revoked',
  promise:
    'Reader and client keys can read flags and send reports, and are refused for all other requests. While keys have no access to the management API, a server key creates no key and no webhook. A revoked key is refused for all requests.',
  async run() {
    const place = await preparePlace(await openPlace())
    const before = await place.state()
    const broken: string[] = []
    let refused = 0
    for (const kind of KINDS) {
      const { key } = await place.createKey(kind)
      for (const [name, endpoint] of REFUSED_TO_READERS) {
        const status = await place.send(endpoint, key)
        if (REFUSALS.includes(status)) refused += 1
        else broken.push(`${name} returned ${status} to a ${kind} key.`)
      }
    }
    const leaked = await place.createKey('server')
    await place.keepKeysFromManaging()
    for (const [name, endpoint] of MANAGING) {
      const status = await place.send(endpoint, leaked.key)
      // 404: there is no such delivery.
      if (status === 403 || status === 404) refused += 1
      else broken.push(`${name} returned ${status} to a server key that may not manage.`)
    }
    await place.revoke(leaked.id)
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints).filter(needsCredential)) {
      const status = await place.send(endpoint, leaked.key)
      if (status === 401) refused += 1
      else broken.push(`${name} returned ${status} to a revoked key.`)
    }
    const after = await place.state()
    if (after !== before) broken.push(`Something was changed: ${before} became ${after}.`)
    return {
      times: `${refused + broken.length} requests`,
      seen: `${refused} refused, nothing changed`,
      broken,
    }
  },
}

const needsCredential = ([, { access }]: readonly [string, Endpoint]): boolean =>
  !OPEN_TO_ANYONE.includes(access) && access !== 'metrics_token'

const REFUSED_TO_READERS = Object.entries<Endpoint>(endpoints).filter(
  (entry) => needsCredential(entry) && !ALLOWED.includes(entry[0]),
)

const MANAGING = Object.entries<Endpoint>(endpoints).filter(([, { access }]) =>
  ACCESS[access].keys.startsWith('managing'),
)

/**
 * Creates an environment with one thing of everything that paths name, and returns what must be equal
 * afterwards.
 */
async function preparePlace({ admin, environmentId, projectId, url }: Place) {
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await callApi(url, method, path, body, admin)
    if (answer.status >= 300) throw new Error(`${method} ${path} returned ${answer.status}`)
    return answer.body
  }
  const env_id = environmentId
  const project_id = projectId
  const ofProject = `/api/projects/${project_id}`
  const ofEnvironment = `/api/environments/${env_id}`
  await putFlag(url, env_id, { key: 'thing' }, admin)
  await call('POST', `${ofEnvironment}/segments`, { name: 'Thing', key: 'thing' })
  const target = 'http://127.0.0.1:9/'
  const webhook = await call('POST', `${ofEnvironment}/webhooks`, { name: 'w', url: target, enabled: false })
  const chat = { kind: 'slack', name: 'c', webhook_url: target, enabled: false }
  const integration = await call('POST', `${ofEnvironment}/integrations`, chat)
  const kept = await call('POST', `${ofProject}/keys`, { name: 'kept', environment_id: env_id })
  const ids = { webhooks: webhook.id, integrations: integration.id, keys: kept.id }
  return {
    createKey: (kind: string): Promise<{ id: number; key: string }> =>
      call('POST', `${ofProject}/keys`, { name: 'leaked', environment_id: env_id, kind }),
    keepKeysFromManaging: () =>
      call('PATCH', `${ofProject}/environments/${env_id}`, { keys_may_manage: false }),
    revoke: (id: number) => call('DELETE', `${ofProject}/keys/${id}`),
    async send({ body, method, path }: Endpoint, key: string): Promise<number> {
      const id = Object.entries(ids).find(([name]) => path.includes(`/${name}`))?.[1] ?? 1
      const filled = path
        .replace(':project_id', project_id)
        .replace(':env_id', env_id)
        .replace(':key', 'thing')
        .replace(/:(?:id|user_id|delivery_id)/g, String(id))
      return (await callApi(url, method, filled, body && exampleOf(body), bearer(key))).status
    },
    /** Returns flags, segments, receivers, members and keys that were not created here. */
    async state(): Promise<string> {
      const lists = [
        `${ofEnvironment}/flags`,
        `${ofEnvironment}/segments`,
        `${ofEnvironment}/webhooks`,
        `${ofEnvironment}/integrations`,
        `${ofProject}/members`,
        '/api/users',
        '/api/projects',
      ]
      const [keys, ...others] = await Promise.all([
        call('GET', `${ofProject}/keys`),
        ...lists.map((path) => call('GET', path)),
      ])
      const foreign = keys.filter(({ name }: { name: string }) => name !== 'leaked')
      return JSON.stringify([foreign, ...others])
    },
  }
}

/** Returns the example of a body in the documents. */
function exampleOf(body: object): unknown {
  if (!('examples' in body) || !Array.isArray(body.examples)) return {}
  return body.examples[0]
}
