import type { Transaction } from 'kysely'
import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import type { PastActor } from '../../kernel/actor.ts'
import type { EndedTokens } from '../../kernel/ended-tokens.ts'
import type { Database } from '../../platform/db/tables.ts'

export interface ScimDeps extends WorkspaceWriteDeps {
  readonly newId: () => string
  /** Ends all sessions of a user. Returns their number. */
  readonly endSessions: (tx: Transaction<Database>, user_id: number) => Promise<number>
  /** Deletes the tokens of a user. Returns their number. */
  readonly deleteTokens: (tx: Transaction<Database>, user_id: number) => Promise<EndedTokens>
  /** Gives what a user has scheduled or requested, and what is still pending, their new e-mail address. */
  readonly renameAuthor: (
    tx: Transaction<Database>,
    author: { readonly id: number; readonly before: string; readonly after: string },
  ) => Promise<void>
}

/** A request of the provider. */
export interface ScimContext {
  readonly author: PastActor
  /** The address of the interface, without a slash at its end. */
  readonly baseUrl: string
}

/** The name of SCIM in the audit log. */
export const SCIM_ACTOR = 'scim'

export const IN_WORKSPACE = { project_id: null, environment_id: null } as const
