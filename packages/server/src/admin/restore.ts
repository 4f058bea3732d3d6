import { BackupRefused, type Restored, restoreCluster } from '@burgee/embedded-postgres'
import {
  type AdoptedMigrations,
  describeMissing,
  hasOldNames,
  readAdoptedMigrations,
  renameMigrations,
} from '../platform/db/adopted-migrations.ts'
import { connectDatabase } from '../platform/db/connect.ts'
import { listKnownMigrations } from '../platform/db/migrate.ts'
import { listMigrations } from '../platform/db/stored-migrations.ts'
import type { Log } from '../platform/log/log.ts'

interface RestoreInput {
  readonly dataDir: string
  readonly file: string
  /** Moves a present database aside. Without it one is refused. */
  readonly isReplacing: boolean
  readonly log: Log
}

/**
 * Restores a backup as the embedded database of a data folder. Throws `BackupRefused`, with the folder as it
 * was, for a backup that is damaged, of a newer version, of one that is too old, or incomplete after its
 * recovery.
 */
export async function restore({ log, ...input }: RestoreInput): Promise<Restored> {
  const known = await listKnownMigrations()
  const adopted = await readAdoptedMigrations()
  let wanted: readonly string[] = []
  return await restoreCluster({
    ...input,
    log,
    accept({ migrations, version }) {
      const unknown = nameMigrations(adopted, migrations).filter((name) => !known.includes(name))
      if (unknown.length > 0)
        throw new BackupRefused(
          `the backup is of Burgee ${version}, which is newer (${unknown.join(', ')}): restore it with that version`,
        )
      wanted = migrations
    },
    async check(connection) {
      const { close, db } = connectDatabase({ connection, max_connections: 1, log })
      const present = await listMigrations(db).finally(close)
      if (present.join() !== wanted.join())
        throw new BackupRefused('the restored database does not have the migrations that the backup names')
    },
  })
}

/** Returns the present names of a backup's migrations. The server adopts the database at its start. */
function nameMigrations(adopted: AdoptedMigrations, names: readonly string[]): readonly string[] {
  if (!hasOldNames(adopted, names)) return names
  const missing = describeMissing(adopted, names)
  if (missing === null) return renameMigrations(adopted, names)
  throw new BackupRefused(
    `the backup has ${missing}: restore it with that commit, start it once, and then start this version`,
  )
}
