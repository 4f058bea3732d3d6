import type { Session, sessionEndpoints } from '@burgee/contract'
import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { rowExists } from '../../platform/db/row-exists.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { endSession, endSessions } from './end-sessions.ts'
import type { Sessions } from './sessions.ts'

export interface SessionHandlerDeps extends WorkspaceWriteDeps {
  readonly sessions: Sessions
}

export function sessionHandlers(deps: SessionHandlerDeps): EndpointHandlers<typeof sessionEndpoints> {
  return {
    async listSessions({ actor }) {
      return { status: 200, body: await listSessions(deps, actor, actor.user_id) }
    },
    async endSession({ actor, params }) {
      await endSession(deps, actor, { id: params.id.toLowerCase(), user_id: actor.user_id })
      return { status: 204, body: null }
    },
    async endOtherSessions({ actor }) {
      await endSessions(deps, actor, actor.user_id)
      return { status: 204, body: null }
    },
    async listUserSessions({ actor, params }) {
      await requireUser(deps, params)
      return { status: 200, body: await listSessions(deps, actor, params.id) }
    },
    async endUserSession({ actor, params }) {
      await endSession(deps, actor, { id: params.session_id.toLowerCase(), user_id: params.id })
      return { status: 204, body: null }
    },
    async endUserSessions({ actor, params }) {
      await requireUser(deps, params)
      await endSessions(deps, actor, params.id)
      return { status: 204, body: null }
    },
  }
}

async function requireUser({ db }: SessionHandlerDeps, { id }: { readonly id: number }): Promise<void> {
  if (!(await rowExists(db, 'users', { id, kind: 'person' }))) throw notFound('user')
}

async function listSessions(
  { sessions }: SessionHandlerDeps,
  { credential }: UserActor,
  user_id: number,
): Promise<Session[]> {
  const currentId = credential.kind === 'session' ? credential.sessionId : null
  const listed = await sessions.list(user_id)
  return listed.map((session) => ({ ...session, is_current: session.id === currentId }))
}
