import type { Addressed } from '@burgee/contract'

/** The nouns in error messages for the resource that a path addresses. */
export const NOUNS: Readonly<Record<Addressed, string>> = {
  flag: 'flag',
  segment: 'segment',
  sdk_key: 'SDK key',
  member: 'member',
  role: 'role',
  user: 'user',
  group_mapping: 'group mapping',
  access_token: 'personal access token',
  user_token: 'personal access token',
  service_account: 'service account',
  service_account_token: 'token of a service account',
  session: 'session',
  passkey: 'passkey',
  user_session: 'session',
  change_request: 'change request',
  scheduled_change: 'scheduled change',
  experiment: 'experiment',
  webhook: 'webhook',
  webhook_delivery: 'delivery',
  integration: 'integration',
  unknown_flag: 'unknown flag',
  project_flag: 'flag',
  invariant: 'invariant',
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
    case 'session_id':
      return 'session'
    case 'flag_key':
      return 'flag'
    case 'repo':
      return 'repository'
    case 'token_id':
      return 'personal access token'
    default:
      return addresses === undefined ? 'route' : (OWNERS[addresses] ?? NOUNS[addresses])
  }
}

/** The nouns of the parameter `id` where the path goes on below it. */
const OWNERS: Partial<Record<Addressed, string>> = {
  webhook_delivery: 'webhook',
  user_session: 'user',
  user_token: 'user',
  service_account_token: 'service account',
}
