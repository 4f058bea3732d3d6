import type { Preferences, PreferencesPatch } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { NO_PREFERENCES, patchPreferences } from './preferences.ts'
import { lockPreferences, type PreferencesOwner, storePreferences } from './queries.ts'

/**
 * Applies a patch to the preferences of a user in a project. Concurrent patches are applied one after
 * another, so that two tabs lose nothing. No other user is concerned, so it has no audit entry and no event.
 */
export async function updatePreferences(
  { db }: { readonly db: Kysely<Database> },
  owner: PreferencesOwner,
  patch: PreferencesPatch,
): Promise<Preferences> {
  return db.transaction().execute(async (tx) => {
    const before = await lockPreferences(tx, owner, NO_PREFERENCES)
    if (!before) throw notFound('project')
    const after = patchPreferences(before, patch)
    await storePreferences(tx, owner, after)
    return after
  })
}
