import type { Answer, As, TestServer } from '../harness/start-test-server.ts'
import { stateOf } from '../harness/state-of.ts'

/** The calls about governance in one environment. */
export type EnvironmentCalls = ReturnType<typeof createEnvironmentCalls>

export interface DomainEventPayload {
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  readonly data: any
}

export interface AuditedEntry {
  readonly action: string
  readonly actor_email: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into entries freely
  readonly before: any
  // biome-ignore lint/suspicious/noExplicitAny: tests look into entries freely
  readonly after: any
  // biome-ignore lint/suspicious/noExplicitAny: tests look into entries freely
  readonly metadata: any
}

export function createEnvironmentCalls(server: TestServer, environment_id: string) {
  const at = `/api/environments/${environment_id}`
  const { db } = server.database
  const send = (method: string, path: string, as: As, body?: unknown): Promise<Answer> =>
    server.call({ method, path: `${at}${path}`, as, ...(body !== undefined && { body }) })
  const review = (id: number, what: string) => `/change-requests/${id}${what}`
  return {
    id: environment_id,
    send,
    require: (body: object, as: As = 'admin') =>
      server.call({
        path: `/api/projects/${server.project.id}/environments/${environment_id}/require-approval`,
        body,
        as,
      }),
    put: (flag: object, as: As = 'admin') => send('POST', '/flags', as, { is_enabled: false, ...flag }),
    get: async (key: string) => {
      const answer = await send('GET', `/flags/${key}`, 'admin')
      return answer.status === 200 ? { ...answer, body: stateOf(answer.body) } : answer
    },
    patch: (key: string, body: object, as: As) => send('PATCH', `/flags/${key}`, as, body),
    remove: (key: string, as: As = 'admin') => send('DELETE', `/flags/${key}`, as),
    requests: (query = '', as: As = 'admin') => send('GET', `/change-requests${query}`, as),
    approve: (id: number, as: As, body?: unknown) => send('POST', review(id, '/approve'), as, body),
    reject: (id: number, as: As, body?: unknown) => send('POST', review(id, '/reject'), as, body),
    cancel: (id: number, as: As) => send('DELETE', review(id, ''), as),
    /** One request, with its preview while it is pending. */
    async request(id: number) {
      return (await send('GET', `/change-requests/${id}`, 'admin')).body
    },
    /** Returns the events of a flag, in order. */
    async events(flag_key: string): Promise<DomainEventPayload[]> {
      const rows = await db
        .selectFrom('domain_events')
        .select(['type', 'data'])
        .where('environment_id', '=', environment_id)
        .orderBy('id')
        .execute()
      return rows.filter(({ data }) => (data as { flag_key?: unknown }).flag_key === flag_key)
    },
    /** Returns the audit entries of a flag, in order. */
    async audit(flag_key: string): Promise<AuditedEntry[]> {
      return db
        .selectFrom('audit_log')
        .select(['action', 'actor_email', 'before_data as before', 'after_data as after', 'metadata'])
        .where('environment_id', '=', environment_id)
        .where('flag_key', '=', flag_key)
        .orderBy('id')
        .execute()
    },
  }
}

export const typesOf = (events: readonly DomainEventPayload[]): string[] => events.map(({ type }) => type)
export const actionsOf = (entries: readonly AuditedEntry[]): string[] => entries.map(({ action }) => action)
