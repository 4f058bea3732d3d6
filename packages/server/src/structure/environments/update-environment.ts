import type { Environment, EnvironmentPatch } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { forbidden, notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { environmentAudit } from './environment-audit.ts'
import { type EnvironmentPlace, lockEnvironmentOf, updateEnvironmentRow } from './queries.ts'

export interface UpdateDeps extends WorkspaceWriteDeps {
  /** Removes what the environment does not keep of its users any more. */
  readonly onSeenUsersSet: (
    tx: Transaction<Database>,
    change: { readonly before: Environment; readonly after: Environment },
  ) => Promise<void>
}

/**
 * Changes an environment's name, its color, whether its keys may manage it, whether writes need a comment,
 * and what is kept of its users. Its slug stays. Refuses with `not_found` when it does not exist, and with
 * `forbidden` when a key would change the rights of keys, the duty to comment or what is kept.
 */
export async function updateEnvironment(
  { onSeenUsersSet, ...deps }: UpdateDeps,
  actor: Actor,
  { patch, place }: { readonly place: EnvironmentPlace; readonly patch: EnvironmentPatch },
): Promise<Environment> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockEnvironmentOf(tx, place)
    if (!before) throw notFound('environment')
    const { color = before.color, keys_may_manage = before.keys_may_manage, name = before.name } = patch
    const { require_comment = before.require_comment } = patch
    const { private_attributes = before.private_attributes, seen_users = before.seen_users } = patch
    const changesAccess = keys_may_manage !== before.keys_may_manage
    if (actor.kind === 'sdk_key') {
      if (changesAccess) throw forbidden(SET_BY_PEOPLE)
      if (require_comment !== before.require_comment) throw forbidden(COMMENTS_SET_BY_PEOPLE)
      if (patch.seen_users !== undefined || patch.private_attributes !== undefined)
        throw forbidden(SEEN_USERS_SET_BY_PEOPLE)
    }
    const set = { name, color, keys_may_manage, require_comment, seen_users, private_attributes }
    const after = await updateEnvironmentRow(tx, before.id, set)
    await onSeenUsersSet(tx, { before, after })
    return {
      result: after,
      audit: environmentAudit({ project_id: place.project_id, action: 'update', before, after }),
      changesAccess,
    }
  })
}

/** The refusal: a key must not decide what keys may do. */
export const SET_BY_PEOPLE = 'An SDK key cannot set keys_may_manage. Sign in as an admin of the project.'

/** The refusal: a key must not lift the duty to state why. */
const COMMENTS_SET_BY_PEOPLE = 'An SDK key cannot set require_comment. Sign in as an admin of the project.'

/** The refusal: what is kept of people is decided by people. */
const SEEN_USERS_SET_BY_PEOPLE =
  'An SDK key cannot set seen_users or private_attributes. Sign in as an admin of the project.'
