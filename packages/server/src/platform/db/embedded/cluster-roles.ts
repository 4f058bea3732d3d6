import { createHmac } from 'node:crypto'

/**
 * The roles of an embedded cluster. `burgee` is the superuser that initdb makes: it takes the lock and prepares the cluster at start.
 * `burgee_owner` owns the tables, migrates them, and makes and drops partitions. `burgee_app` serves requests.
 */
export const SUPERUSER = 'burgee'
export const OWNER = 'burgee_owner'
export const APPLICATION = 'burgee_app'

type ClusterRole = typeof SUPERUSER | typeof OWNER | typeof APPLICATION

/** The password of a role; the cluster's secret is the superuser's own, and the others cannot be turned back into it. */
export function passwordOf(secret: string, role: ClusterRole): string {
  return role === SUPERUSER ? secret : createHmac('sha256', secret).update(role).digest('base64url')
}
