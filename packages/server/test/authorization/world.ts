import type { KeyKind } from '../../src/kernel/actor.ts'
import { type Call, startTestServer, type TestServer } from '../harness/start-test-server.ts'

/** One of the two projects of the matrix. */
export interface Place {
  readonly project_id: string
  /** The default environment, which the rows use. */
  readonly environment_id: string
  readonly otherEnvironmentId: string
  readonly environmentIds: readonly string[]
}

/** The world of the matrix: one server with two projects. */
export interface World {
  readonly server: TestServer
  readonly home: Place
  readonly abroad: Place
  /** Returns an unused name, slug or key. */
  readonly newName: (what: string) => string
}

export const LEGACY_KEY = 'sk_live_legacy-key-of-the-authorization-matrix'

export async function createWorld(): Promise<World> {
  const server = await startTestServer({
    env: { SDK_KEY: LEGACY_KEY, METRICS_TOKEN: 'metrics-token-of-the-authorization-matrix' },
  })
  let named = 0
  const newName = (what: string) => {
    named += 1
    return `${what}-${named}`
  }
  const abroad = await asAdmin(server, { path: '/api/projects', body: { name: newName('abroad') } })
  const world = {
    server,
    newName,
    home: await findPlace(server, server.project.id),
    abroad: await findPlace(server, abroad.id),
  }
  // The flags in its bootstrap show which environments a stream covers.
  for (const { environmentIds } of [world.home, world.abroad]) {
    for (const environment_id of environmentIds) await putFlag(world, environment_id)
  }
  return world
}

async function findPlace(server: TestServer, project_id: string): Promise<Place> {
  const environments: { id: string; is_default: boolean }[] = await asAdmin(server, {
    path: `/api/projects/${project_id}/environments`,
  })
  const environmentIds = environments.map(({ id }) => id)
  const environment_id = environments.find(({ is_default }) => is_default)?.id ?? ''
  const otherEnvironmentId = environmentIds.find((id) => id !== environment_id) ?? ''
  return { project_id, environment_id, otherEnvironmentId, environmentIds }
}

/** Sends a request as the set-up admin, which must succeed: a step towards what is tested. */
export async function asAdmin(server: TestServer, call: Call) {
  const { body, status } = await server.call(call)
  if (status >= 300) throw new Error(`${call.path} returned ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Creates a flag; returns its key and revision. */
export async function putFlag(
  { newName, server }: Pick<World, 'newName' | 'server'>,
  environment_id: string,
): Promise<{ key: string; revision: number }> {
  const body = { key: newName('flag'), is_enabled: true }
  return asAdmin(server, { path: `/api/environments/${environment_id}/flags`, body })
}

/** Creates a key; returns its id and full value. */
export async function createKey(
  { newName, server }: Pick<World, 'newName' | 'server'>,
  { environment_id, kind = 'server', project_id }: CreateKeyInput,
): Promise<{ id: number; key: string }> {
  const body = { name: newName('key'), environment_id, kind }
  return asAdmin(server, { path: `/api/projects/${project_id}/keys`, body })
}

interface CreateKeyInput extends Pick<Place, 'environment_id' | 'project_id'> {
  readonly kind?: KeyKind
}
