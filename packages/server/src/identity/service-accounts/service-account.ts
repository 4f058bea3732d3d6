import type { ServiceAccount } from '@burgee/contract'

const ACTOR_PREFIX = 'service-account:'

/** Returns the name of a service account as an actor. No e-mail is like it, because the name has no `@`. */
export const actorOf = (name: string): string => `${ACTOR_PREFIX}${name}`

/** Returns the resource name of a service account in the audit log. */
export const accountResource = (id: number): string => `service_account:${id}`

/** Returns the fields of a service account for the audit log. */
export const toAuditedAccount = ({ disabled_at, name }: Pick<ServiceAccount, 'name' | 'disabled_at'>) => ({
  name,
  ...(disabled_at !== null && { disabled_at }),
})
