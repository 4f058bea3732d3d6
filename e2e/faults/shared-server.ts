import { randomBytes } from 'node:crypto'
import { bearer, callApi, signIn } from '../harness/call-api.ts'
import { METRICS_TOKEN } from '../harness/loop-delay.ts'
import { createStage, type Stage } from '../harness/open-stage.ts'
import { seedLargeFlags } from '../harness/seed-large-flags.ts'
import { type RunningServer, startServer } from '../harness/start-server.ts'
import type { FaultScale } from './fault.ts'
import { createSharedDatabase } from './shared-postgres.ts'

type Headers = Readonly<Record<string, string>>

interface SharedServer extends Pick<RunningServer, 'output' | 'pid' | 'url'> {
  readonly databaseUrl: string
  /** The session of the administrator. */
  readonly admin: Headers
}

/** The environment of one row on a server that other rows use as well. */
export interface Place extends SharedServer {
  readonly projectId: string
  readonly environmentId: string
  /** A server key of the environment. */
  readonly sdkKey: string
  readonly headers: Headers
  createKey(kind: 'server' | 'client'): Promise<string>
}

/** The stage that the rows of one file share, for as long as the file runs. */
let stage: Stage | null = null
const servers = new Map<string, Promise<SharedServer>>()

/** The settings of a server for large data, which must stay bounded in a heap of 512 MB. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=512' }

/** Opens a place on the server with these settings, which is started on first use. */
export async function openPlace(settings: Headers = {}): Promise<Place> {
  const name = JSON.stringify(settings)
  const starting = servers.get(name) ?? start(settings)
  servers.set(name, starting)
  const server = await starting
  const call = async (method: string, path: string, body?: object) => {
    const answer = await callApi(server.url, method, path, body, server.admin)
    if (answer.status !== 200) throw new Error(`${method} ${path} returned ${answer.status}`)
    return answer.body
  }
  const slug = `place-${randomBytes(6).toString('hex')}`
  const project = await call('POST', '/api/projects', { name: slug, slug })
  const environment = await call('POST', `/api/projects/${project.id}/environments`, { name: slug, slug })
  const createKey = async (kind: 'server' | 'client'): Promise<string> => {
    const input = { name: `${kind} key`, environment_id: environment.id, kind }
    return (await call('POST', `/api/projects/${project.id}/keys`, input)).key
  }
  const sdkKey = await createKey('server')
  return {
    ...server,
    projectId: project.id,
    environmentId: environment.id,
    sdkKey,
    headers: bearer(sdkKey),
    createKey,
  }
}

async function start(settings: Headers): Promise<SharedServer> {
  stage ??= createStage()
  const databaseUrl = await createSharedDatabase()
  const env = { METRICS_TOKEN, ...settings }
  const { output, pid, url } = await startServer(stage, { databaseUrl, env })
  return { output, pid, url, databaseUrl, admin: await signIn(url) }
}

/** Flags of 1 MB with some changes, for the rows about large responses. */
const LARGE = { short: { count: 3, changes: 3 }, full: { count: 10, changes: 20 } }
let seeding: Promise<Place> | null = null

export interface LargePlace extends Place {
  readonly flags: number
  /** One entry for each flag, and one for each of its changes. */
  readonly auditEntries: number
}

/** Opens a place with large flags, on a server with a small heap. */
export async function openLargePlace(scale: FaultScale): Promise<LargePlace> {
  const { changes, count } = LARGE[scale]
  seeding ??= seed(LARGE[scale])
  return { ...(await seeding), flags: count, auditEntries: count * (changes + 1) }
}

async function seed(large: (typeof LARGE)[FaultScale]): Promise<Place> {
  const place = await openPlace(SMALL_HEAP)
  await seedLargeFlags(place.url, place.environmentId, large, place.headers)
  return place
}

export async function closeSharedServers(): Promise<void> {
  await stage?.close()
  stage = null
  servers.clear()
  seeding = null
}
