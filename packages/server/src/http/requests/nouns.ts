import type { Addressed } from '@burgee/contract'

/** The nouns of kinds of resources, where they are not the words of the kind. */
const NOUNS: Partial<Record<Addressed, string>> = {
  sdk_key: 'SDK key',
  access_token: 'personal access token',
  user_token: 'personal access token',
  service_account_token: 'token of a service account',
  user_session: 'session',
  webhook_delivery: 'delivery',
  project_flag: 'flag',
}

/** Returns the noun in error messages for the resource that a path addresses. */
export const nounOfKind = (kind: Addressed): string => NOUNS[kind] ?? kind.replaceAll('_', ' ')

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
      return addresses === undefined ? 'route' : (OWNERS[addresses] ?? nounOfKind(addresses))
  }
}

/** The nouns of the parameter `id` where the path goes on below it. */
const OWNERS: Partial<Record<Addressed, string>> = {
  webhook_delivery: 'webhook',
  user_session: 'user',
  user_token: 'user',
  service_account_token: 'service account',
}
