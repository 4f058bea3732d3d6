import { uniqueViolation } from '../../platform/db/unique-violation.ts'
import { notUnique } from './scim-refused.ts'

const DUPLICATES: ReadonlyMap<string | null, string> = new Map([
  ['users_email_key', 'Another account has this e-mail address.'],
  ['scim_users_user_name_key', 'Another user has this userName.'],
  ['scim_users_external_id_key', 'Another user has this externalId.'],
  ['scim_groups_display_name_key', 'Another group has this displayName.'],
  ['scim_groups_external_id_key', 'Another group has this externalId.'],
])

/** Runs a write, and refuses with `uniqueness` when another resource has the name or the id. */
export async function refusingDuplicates<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const detail = DUPLICATES.get(uniqueViolation(error))
    throw detail === undefined ? error : notUnique(detail)
  }
}
