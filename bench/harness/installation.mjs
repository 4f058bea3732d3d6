import { ADMIN, SDK_KEY } from './start-server.mjs'

const CSRF = { 'x-flagservice-request': 'true' }
/** @typedef {{ body?: unknown, headers?: Record<string, string> }} CallOptions */

/** The number of concurrent writes while a bench creates its flags. */
const SEED_LANES = 4

/** Returns the environment of the set-up's SDK key: `{ environment_id, sdk_key }`. */
export async function firstEnvironment({ url }) {
  const response = await fetch(`${url}/flags/snapshot`, { headers: { authorization: `Bearer ${SDK_KEY}` } })
  if (response.status !== 200) throw new Error(`GET /flags/snapshot returned ${response.status}`)
  await response.arrayBuffer()
  return { environment_id: response.headers.get('x-environment-id'), sdk_key: SDK_KEY }
}

/** Logs the admin in: `{ cookie, project_id }`, with the first project. */
export async function login({ url }) {
  const response = await call(url, 'POST', '/api/auth/login', { body: ADMIN })
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0]
  const { body } = await call(url, 'GET', '/api/projects', { headers: { cookie } })
  return { cookie, project_id: body[0].id }
}

/** Creates `count` environments, each the Production of its own project. */
export async function createEnvironments({ url }, count) {
  const { cookie } = await login({ url })
  const environments = []
  for (let at = 1; at <= count; at++) {
    const { body } = await call(url, 'POST', '/api/projects', {
      body: { name: `Bench ${at}` },
      headers: { cookie },
    })
    environments.push({
      project_id: body.id,
      environment_id: body.sdk_key.environment_id,
      sdk_key: body.sdk_key.key,
    })
  }
  return environments
}

/** Creates `count` typical flags, named `flag-0001` and so on: rules, a rollout, every type. */
export async function seedFlags({ url }, { environment_id, sdk_key }, count) {
  let next = 0
  const lane = async () => {
    while (next < count) {
      const flag = sampleFlag(next++)
      const headers = { authorization: `Bearer ${sdk_key}` }
      await call(url, 'POST', `/api/environments/${environment_id}/flags`, { body: flag, headers })
    }
  }
  await Promise.all(Array.from({ length: SEED_LANES }, lane))
}

export const flagKey = (index) => `flag-${String(index + 1).padStart(4, '0')}`

function sampleFlag(index) {
  return {
    key: flagKey(index),
    is_enabled: true,
    description: `Flag ${index + 1} of the bench`,
    rollout_percentage: index % 3 === 0 ? 30 : null,
    rules: index % 2 === 0 ? [{ attribute: 'country', operator: 'equals', values: ['de', 'fr', 'it'] }] : [],
    tags: ['bench'],
    ...(index % 4 === 3 && { flag_type: 'string', default_value: 'on', disabled_value: 'off' }),
  }
}

async function call(url, method, path, /** @type {CallOptions} */ { body, headers }) {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...CSRF, ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
  return { headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}
