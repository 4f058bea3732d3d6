import type { OpenedDataKey } from '../../platform/crypto/data-key.ts'
import { createHashUser, type HashUser, paddedKeys } from '../../platform/crypto/user-hash.ts'
import { keyUserHashes } from './user-hash-queries.ts'

const PURPOSE = 'user hashes of reports'

/** Returns the hash for users of reports, once every stored one uses it. */
export async function openUserHash(
  deps: Parameters<typeof keyUserHashes>[0] & { readonly data_key: Pick<OpenedDataKey, 'derive'> },
): Promise<HashUser> {
  await keyUserHashes(deps, openUserHashKeys(deps.data_key))
  return createHashUser(deps.data_key.derive(PURPOSE))
}

export const openUserHashKeys = (data_key: Pick<OpenedDataKey, 'derive'>) =>
  paddedKeys(data_key.derive(PURPOSE))
