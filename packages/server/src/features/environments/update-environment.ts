import type { Environment, EnvironmentPatch } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { forbidden, notFound } from '../../kernel/refusal.ts'
import { environmentAudit } from './environment-audit.ts'
import { type EnvironmentPlace, lockEnvironmentOf, updateEnvironmentRow } from './queries.ts'

/**
 * Changes an environment's name, its color, whether its keys may manage it, and whether writes need a
 * comment. Its slug stays. Refuses with `not_found` when it does not exist, and with `forbidden` when a key
 * would change the rights of keys or the duty to comment.
 */
export async function updateEnvironment(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { patch, place }: { readonly place: EnvironmentPlace; readonly patch: EnvironmentPatch },
): Promise<Environment> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockEnvironmentOf(tx, place)
    if (!before) throw notFound('environment')
    const { color = before.color, keys_may_manage = before.keys_may_manage, name = before.name } = patch
    const { require_comment = before.require_comment } = patch
    const changesAccess = keys_may_manage !== before.keys_may_manage
    if (actor.kind === 'sdk_key') {
      if (changesAccess) throw forbidden(SET_BY_PEOPLE)
      if (require_comment !== before.require_comment) throw forbidden(COMMENTS_SET_BY_PEOPLE)
    }
    const set = { name, color, keys_may_manage, require_comment }
    const after = await updateEnvironmentRow(tx, before.id, set)
    return {
      result: after,
      audit: environmentAudit({ project_id: place.project_id, action: 'update', before, after }),
      changesAccess,
    }
  })
}

/** The refusal: a key must not decide what keys may do. */
export const SET_BY_PEOPLE = 'An SDK key cannot set keys_may_manage. Sign in as an admin of the project.'

/** The refusal: a key must not lift the duty to say why. */
const COMMENTS_SET_BY_PEOPLE = 'An SDK key cannot set require_comment. Sign in as an admin of the project.'
