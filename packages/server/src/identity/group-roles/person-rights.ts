import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { type Granted, grantGroups } from './grant-groups.ts'
import { rightsOf } from './group-rights.ts'
import { findMappings, lockMappingsForShare } from './mapping-queries.ts'
import { findProvisioning } from './provisioning-queries.ts'

/** The attempts to give rights while SCIM changes the groups of the same person. */
const ATTEMPTS = 5

/**
 * Gives an account what its groups give: those that SCIM has sent for an account that it manages, otherwise
 * those of the last login. An account that SCIM manages has rights also without a group. Null when the
 * account has just been deleted.
 */
export async function grantPerson(
  tx: Transaction<Database>,
  { groups, id }: { readonly id: number; readonly groups: readonly string[] },
  now: string,
): Promise<Granted | null> {
  // A change of the table waits for this transaction, or its people include this one.
  await lockMappingsForShare(tx)
  const audit: Granted['audit'][number][] = []
  for (let attempt = 1; ; attempt += 1) {
    const provisioned = await findProvisioning(tx, id)
    const rights = rightsOf(await findMappings(tx, provisioned?.groups ?? groups))
    const granted = await grantGroups(tx, { id }, { now, rights })
    if (!granted) return null
    audit.push(...granted.audit)
    // The account is locked now. SCIM may have stored other groups while this transaction waited for it.
    const current = provisioned && (await findProvisioning(tx, id))
    if (current?.version === provisioned?.version || attempt === ATTEMPTS)
      return { ...granted, audit, hasRights: granted.hasRights || provisioned !== null }
  }
}
