import type { Flag } from '@burgee/contract'
import type { EnvironmentWrite } from '../../changes/index.ts'
import { findCreationTimes, findFlag } from '../../targeting/flags/index.ts'
import type { StoredChangeRequest } from './queries.ts'

/**
 * Returns the flag of the request. One that was created later under the same key is a different flag, which
 * only a request to create it concerns.
 */
export async function findRequestedFlag(
  { environment, tx }: EnvironmentWrite,
  { created_at, flag_key, operation }: StoredChangeRequest,
): Promise<Flag | undefined> {
  if (operation === 'create') return findFlag(tx, environment.id, flag_key)
  const flagCreatedAt = (await findCreationTimes(tx, environment.id, [flag_key])).get(flag_key)
  return flagCreatedAt !== undefined && flagCreatedAt <= created_at
    ? findFlag(tx, environment.id, flag_key)
    : undefined
}
