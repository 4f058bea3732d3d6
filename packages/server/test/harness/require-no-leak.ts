import type { OpenDatabase } from '../../src/platform/db/connect.ts'
import { dumpDatabase } from './dump-database.ts'
import type { SecretWatch } from './secret-watch.ts'

interface Written {
  readonly log: string
  /** The bodies of responses from 400 on. */
  readonly errorBodies: Iterable<string>
}

/** Throws when a secret of the tests is in the log, in an error body or anywhere in the database. */
export async function requireNoLeak(
  watch: SecretWatch,
  { errorBodies, log }: Written,
  pool: OpenDatabase['pool'],
): Promise<void> {
  const { passwordHashes, tables } = await dumpDatabase(pool)
  for (const hash of passwordHashes) watch.watch(hash, 'password hash')
  const found = watch.findIn([
    { place: 'the log', text: log },
    { place: 'an error body', text: [...errorBodies].join('\n') },
    ...tables,
  ])
  if (found.length > 0) throw new Error(`secrets have leaked:\n${found.join('\n')}`)
}
