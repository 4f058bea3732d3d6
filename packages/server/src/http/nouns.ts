import type { Addressed } from '@burgee/contract'

/** The nouns in error messages for the resource that a path addresses. */
export const NOUNS: Readonly<Record<Addressed, string>> = {
  flag: 'flag',
  segment: 'segment',
  sdk_key: 'SDK key',
  member: 'member',
  role: 'role',
  user: 'user',
  access_token: 'personal access token',
  change_request: 'change request',
  scheduled_change: 'scheduled change',
  experiment: 'experiment',
  webhook: 'webhook',
  webhook_delivery: 'delivery',
  integration: 'integration',
  unknown_flag: 'unknown flag',
}

/** Returns the noun for a parameter of a path. `addresses` is the resource of the last parameter. */
export function nounOf(param: string, addresses: Addressed | undefined): string {
  switch (param) {
    case 'project_id':
      return 'project'
    case 'env_id':
      return 'environment'
    case 'user_id':
      return 'member'
    case 'delivery_id':
      return 'delivery'
    default:
      return addresses === 'webhook_delivery'
        ? 'webhook'
        : addresses === undefined
          ? 'route'
          : NOUNS[addresses]
  }
}
