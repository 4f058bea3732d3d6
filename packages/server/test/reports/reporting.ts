import type { Answer, As, TestServer } from '../harness/start-test-server.ts'

/** The calls about reports in one separate environment. */
export interface Reporting {
  readonly environment_id: string
  /** Sends items as the set-up's admin, or as another caller. */
  ingest(items: unknown, as?: As): Promise<Answer>
  track(items: unknown, as?: As): Promise<Answer>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  list(query?: Readonly<Record<string, string | number>>): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  read(path: string): Promise<any>
}

let made = 0

/** Creates an environment for the test. */
export async function openEnvironment(server: TestServer): Promise<Reporting> {
  made += 1
  const path = `/api/projects/${server.project.id}/environments`
  const body = { name: `Reports ${made}`, slug: `reports-${made}-${Date.now().toString(36)}` }
  const created = await server.call({ path, body })
  if (created.status !== 200) throw new Error(`creating an environment returned ${created.status}`)
  return reportingOf(server, created.body.id)
}

export function reportingOf(server: TestServer, environment_id: string): Reporting {
  const at = `/api/environments/${environment_id}`
  const read = async (path: string) => {
    const answer = await server.call({ path: at + path })
    if (answer.status !== 200) throw new Error(`GET ${path} returned ${answer.status}`)
    return answer.body
  }
  return {
    environment_id,
    ingest: (items, as = 'admin') =>
      server.call({ path: `${at}/impressions`, method: 'POST', body: items, as }),
    track: (items, as = 'admin') => server.call({ path: `${at}/events`, method: 'POST', body: items, as }),
    list: (query = {}) =>
      read(
        `/impressions?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
      ),
    read,
  }
}
