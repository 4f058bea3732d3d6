import { bearer, callApi, createKeyFor, signIn } from '../harness/call-api.ts'
import { SDK_KEY } from '../harness/start-server.ts'
import type { HostileRequest } from './hostile-input.ts'

/** The environment that hostile requests reach, with a credential of each kind. */
export interface HostilePlace {
  /** Returns a path or a body with the ids of the place. */
  fill(text: string): string
  headersOf(request: HostileRequest): Readonly<Record<string, string>>
}

/** Opens the environment of a new server. */
export async function openHostilePlace(url: string): Promise<HostilePlace> {
  const projects = await callApi(url, 'GET', '/api/projects', undefined, await signIn(url))
  const project_id: string = projects.body[0].id
  const { environment_id, key } = await createKeyFor(url, 'production', 'client')
  const headers = { admin: await signIn(url), server: bearer(SDK_KEY), client: bearer(key) }
  return {
    fill: (text) => text.replaceAll(':env_id', environment_id).replaceAll(':project_id', project_id),
    headersOf: ({ as }) => headers[as],
  }
}
