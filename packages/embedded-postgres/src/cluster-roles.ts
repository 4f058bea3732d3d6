import { createHmac } from 'node:crypto'

/**
 * The roles of an embedded cluster. `burgee` is initdb's superuser: it takes the lock and prepares the
 * cluster at start. `burgee_owner` owns and migrates the tables, and creates and drops partitions.
 * `burgee_app` serves requests.
 */
export const SUPERUSER = 'burgee'
export const OWNER = 'burgee_owner'
export const APPLICATION = 'burgee_app'

type ClusterRole = typeof SUPERUSER | typeof OWNER | typeof APPLICATION

/**
 * Derives the password of a role. The cluster's secret is the superuser's password, and it cannot be derived
 * from the others.
 */
export function passwordOf(secret: string, role: ClusterRole): string {
  return role === SUPERUSER ? secret : createHmac('sha256', secret).update(role).digest('base64url')
}
