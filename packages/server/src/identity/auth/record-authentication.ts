import { type AuthenticationAction, USER_AGENT_MAX_LENGTH } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { recordAudit } from '../../changes/index.ts'
import type { Database } from '../../platform/db/tables.ts'

interface AuthenticationEvent {
  readonly action: AuthenticationAction
  readonly user_id: number
  readonly email: string
  readonly credential: { readonly kind: string; readonly id: number | string | null }
  readonly address?: string | undefined
  readonly userAgent?: string | undefined
  readonly request_id?: string | undefined
  /** Further fields of the entry. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The time, ISO 8601 in UTC. */
  readonly now: string
}

/** Stores how a person proved who they are, or ended that, in the transaction in which it happens. */
export async function recordAuthentication(
  tx: Transaction<Database>,
  { action, address, credential, details, email, now, request_id, user_id, userAgent }: AuthenticationEvent,
): Promise<void> {
  await recordAudit(tx, {
    project_id: null,
    environment_id: null,
    flag_key: '',
    action,
    actor_email: email,
    before: null,
    after: null,
    metadata: {
      origin: 'direct',
      resource: `user:${user_id}`,
      ...details,
      ...(userAgent !== undefined && { user_agent: userAgent.slice(0, USER_AGENT_MAX_LENGTH) }),
    },
    trace: {
      credential,
      ...(address !== undefined && { address }),
      ...(request_id !== undefined && { request_id }),
    },
    now,
  })
}
