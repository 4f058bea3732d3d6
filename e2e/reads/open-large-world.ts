import { randomBytes } from 'node:crypto'
import { openWorld, type World } from '../bodies/open-world.ts'
import { callApi, signIn } from '../harness/call-api.ts'

/** The number of things of nearly the largest size, and of ordinary flags. */
export interface WorldSize {
  readonly described: number
  readonly valued: number
  readonly ordinary: number
  /** Other versions of flags in a second environment, requests, schedules and segments. */
  readonly others: number
}

export interface LargeWorld extends World {
  readonly project_id: string
  /** An environment with other versions of some flags. */
  readonly otherId: string
  /** An environment with requests, each with a large flag. */
  readonly guardedId: string
  readonly ids: Readonly<Record<string, number>>
  readonly admin: Readonly<Record<string, string>>
}

/** The characters of a text: nearly the size of a body, and not compressible. */
const LARGE_CHARACTERS = 960_000
const FLAGS_AT_ONCE = 500
const LISTED_VALUES = 25_000
const REPORTED = 500
const CONTEXT_CHARACTERS = 10_000
const DAY_MS = 86_400_000

/**
 * Fills a server, so that responses with all flags and with much of anything else are as large as
 * possible.
 */
export async function openLargeWorld(url: string, size: WorldSize): Promise<LargeWorld> {
  const world = await openWorld(url)
  const admin = await signIn(url)
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await callApi(url, method, path, body, admin)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const post = (path: string, body: unknown) => call('POST', path, body)
  const environment = `/api/environments/${world.environment_id}`
  const [project] = await call('GET', '/api/projects')
  const environments: { id: string; slug: string }[] = await call(
    'GET',
    `/api/projects/${project.id}/environments`,
  )
  const guardedId = environments.find(({ slug }) => slug === 'guarded')?.id ?? ''
  const otherId =
    environments.find(({ id }) => id !== guardedId && id !== world.environment_id)?.id ?? guardedId
  const text = () => randomBytes(LARGE_CHARACTERS / 2).toString('hex')
  const described = (nth: number) => ({
    ...{ key: `described-${nth}`, is_enabled: true, description: text() },
    ...{ flag_type: 'string', default_value: 'x' },
  })
  const valued = (nth: number) => ({
    ...{ key: `valued-${nth}`, is_enabled: true, flag_type: 'string', default_value: text() },
  })
  for (let nth = 0; nth < size.described; nth += 1) await post(`${environment}/flags`, described(nth))
  for (let nth = 0; nth < size.valued; nth += 1) await post(`${environment}/flags`, valued(nth))
  for (let first = 0; first < size.ordinary; first += FLAGS_AT_ONCE) {
    const count = Math.min(FLAGS_AT_ONCE, size.ordinary - first)
    await post(`${environment}/apply`, {
      flags: Array.from({ length: count }, (_, nth) => ordinary(first + nth)),
    })
  }
  let change_request = 0
  for (let nth = 0; nth < size.others; nth += 1) {
    const scheduled_at = new Date(Date.now() + (nth + 1) * DAY_MS).toISOString()
    await post(`/api/environments/${otherId}/flags`, valued(nth))
    const patched = `/api/environments/${guardedId}/flags/large`
    const opened = await call('PATCH', patched, { description: text() })
    change_request = opened.change_request?.id ?? opened.id
    await post(`${environment}/flags/valued-0/scheduled-changes`, {
      ...{ scheduled_at, patch: { description: text() } },
    })
    await post(`${environment}/segments`, { key: `listed-${nth}`, name: 'Listed', rules: [listedRule()] })
  }
  await post(
    `${environment}/impressions`,
    Array.from({ length: REPORTED }, (_, nth) => impression(nth)),
  )
  const key = await post(`/api/projects/${project.id}/keys`, {
    ...{ name: 'reader', environment_id: world.environment_id, kind: 'server' },
  })
  // The author of the schedules.
  const me = await call('GET', '/api/auth/me')
  const account = await post('/api/service-accounts', { name: 'reader', role: 'viewer' })
  return {
    ...world,
    ...{ project_id: project.id, otherId, guardedId, admin },
    ids: { sdk_key: key.id, service_account: account.id, change_request, user: me.id },
  }
}

const ordinary = (nth: number) => ({
  key: `ordinary-${nth}`,
  is_enabled: true,
  rollout_percentage: 50,
  description: 'An ordinary flag',
  tags: ['a', 'b'],
  rules: [{ attribute: 'country', operator: 'equals', values: ['de', 'at', 'ch'] }],
})

const listedRule = () => ({
  attribute: 'user_id',
  operator: 'equals',
  values: Array.from({ length: LISTED_VALUES }, () => randomBytes(16).toString('hex')),
})

const impression = (nth: number) => ({
  ...{ flag_key: 'valued-0', user_id: `user-${nth}`, value: 'true' },
  context: { text: 'x'.repeat(CONTEXT_CHARACTERS) },
})
