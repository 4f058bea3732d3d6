import { ADMIN, SDK_KEY } from './start-server.ts'
import { PATIENCE_MS, within } from './within.ts'

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any
  readonly headers: Headers
}

/** Calls the API with the SDK key of the set-up, unless `headers` replace it. */
export async function callApi(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = bearer(SDK_KEY),
): Promise<Answer> {
  const answer = fetchAnswer(url + path, method, body, headers)
  return within(PATIENCE_MS, `the answer to ${method} ${path}`, answer)
}

async function fetchAnswer(
  address: string,
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const response = await fetch(address, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
}

export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

/** Returns the environment of the set-up's SDK key. */
export async function environmentOf(url: string, key = SDK_KEY): Promise<string> {
  const { headers } = await callApi(url, 'GET', '/flags/snapshot', undefined, bearer(key))
  return headers.get('x-environment-id') ?? ''
}

/** Creates a flag, or replaces it. */
export async function putFlag(
  url: string,
  environment_id: string,
  flag: object,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const path = `/api/environments/${environment_id}/flags`
  return accepted(callApi(url, 'POST', path, { is_enabled: true, ...flag }, headers))
}

export async function patchFlag(
  url: string,
  environment_id: string,
  key: string,
  patch: object,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  return accepted(callApi(url, 'PATCH', `/api/environments/${environment_id}/flags/${key}`, patch, headers))
}

async function accepted(answer: Promise<Answer>): Promise<Answer> {
  const { body, status } = await answer
  if (status !== 200) throw new Error(`returned ${status}: ${JSON.stringify(body)}`)
  return answer
}

/** Signs the set-up's administrator in; returns the headers of that session. */
export async function signIn(
  url: string,
  person: { readonly email: string; readonly password: string } = ADMIN,
): Promise<Record<string, string>> {
  const { headers, status } = await callApi(url, 'POST', '/api/auth/login', person, {})
  if (status !== 200) throw new Error(`signing in returned ${status}`)
  return { cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '', 'x-flagservice-request': 'true' }
}

interface CreatedKey {
  readonly id: number
  readonly key: string
  readonly environment_id: string
  readonly project_id: string
}

/** Creates another SDK key, for the environment with this slug of the first project. */
export async function createKeyFor(
  url: string,
  slug: string,
  kind: 'server' | 'client' = 'server',
): Promise<CreatedKey> {
  const admin = await signIn(url)
  const projects = await callApi(url, 'GET', '/api/projects', undefined, admin)
  const project_id: string = projects.body[0].id
  const environments = await callApi(url, 'GET', `/api/projects/${project_id}/environments`, undefined, admin)
  const { id } = environments.body.find((environment: { slug: string }) => environment.slug === slug)
  const body = { name: `${kind} key`, environment_id: id, kind }
  const created = await accepted(callApi(url, 'POST', `/api/projects/${project_id}/keys`, body, admin))
  return { id: created.body.id, key: created.body.key, environment_id: id, project_id }
}
