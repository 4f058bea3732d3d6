import type { preferenceEndpoints } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { forbidden } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { NO_PREFERENCES } from './preferences.ts'
import { findPreferences, type PreferencesOwner } from './queries.ts'
import { updatePreferences } from './update-preferences.ts'

export function preferenceHandlers(deps: {
  readonly db: Kysely<Database>
}): EndpointHandlers<typeof preferenceEndpoints> {
  return {
    async getPreferences({ actor, scope }) {
      const stored = await findPreferences(deps.db, ownerOf(actor, scope.project_id))
      return { status: 200, body: stored ?? NO_PREFERENCES }
    },
    async updatePreferences({ actor, body, scope }) {
      return { status: 200, body: await updatePreferences(deps, ownerOf(actor, scope.project_id), body) }
    },
  }
}

function ownerOf(actor: Actor, project_id: string): PreferencesOwner {
  if (actor.kind !== 'user') throw forbidden('Only users have preferences.')
  return { user_id: actor.user_id, project_id }
}
