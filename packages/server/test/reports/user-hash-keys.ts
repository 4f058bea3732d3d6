import { openDataKey } from '../../src/platform/crypto/data-key.ts'
import { openUserHashKeys } from '../../src/reporting/ingest/open-user-hash.ts'
import type { TestDatabase } from '../harness/database.ts'
import { SESSION_SECRET } from '../harness/start-test-server.ts'

/** Returns the padded keys with which test servers on this database hash users. */
export async function userHashKeys({ db }: TestDatabase) {
  return openUserHashKeys(await openDataKey({ db }, [SESSION_SECRET]))
}
