import { readdir, readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { clusterAddress } from '../cluster-address.ts'
import { SUPERUSER } from '../cluster-roles.ts'
import { readSecret } from '../cluster-secret.ts'
import { CLUSTER_NAME, DATABASE } from '../create-cluster.ts'
import { uniqueName } from '../random-text.ts'
import { type BackupHeader, BackupRefused, isConfiguration, SECRET_FILES } from './archive-format.ts'
import { type ArchiveWriter, writeArchive } from './write-archive.ts'

/** Folders whose contents PostgreSQL makes again, or takes from the label (its manual, 26.3.4). */
const EMPTY_FOLDERS =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$|^pgsql_tmp/
const LAST_FILE = 'postgresql/global/pg_control'

interface BackupInput {
  readonly dataDir: string
  /** The new file. */
  readonly file: string
  /** The part of the header about Burgee. */
  readonly about: Pick<BackupHeader, 'created_at' | 'version' | 'migrations'>
}

/**
 * Copies the running cluster of a data folder with its secrets into a file, as an online backup: writes go
 * on, and the copy has everything that was committed before it ends. Returns the size of the file.
 */
export async function backupCluster({ about, dataDir, file }: BackupInput): Promise<number> {
  const folder = await realpath(resolve(dataDir))
  const cluster = join(folder, CLUSTER_NAME)
  const { address, close } = await (await clusterAddress(folder)).open(cluster)
  const password = (await readSecret(folder)) ?? ''
  const client = new pg.Client({ ...address, user: SUPERUSER, password, database: DATABASE })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const postgres = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
    const header: BackupHeader = { ...about, postgres, machine: `${process.platform}-${process.arch}` }
    return await writeArchive(file, async (writer) => {
      await writer.addHeader(header)
      for (const name of SECRET_FILES) await writer.addFile(name, join(folder, name))
      await copyCluster(client, writer, cluster)
    })
  } finally {
    await client.end().catch(() => undefined)
    await close()
  }
}

async function copyCluster(client: pg.Client, writer: ArchiveWriter, cluster: string): Promise<void> {
  const { rows: levels } = await client.query<{ level: string }>(
    `select current_setting('wal_level') as level`,
  )
  if (levels[0]?.level === 'minimal')
    throw new BackupRefused(
      'the database was started by an earlier version: restart the server, and try again',
    )
  // The slot ends with this session. Until then PostgreSQL keeps the log that the copy needs.
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [
    `burgee_backup_${uniqueName().replace(/\W/g, '_').toLowerCase()}`,
  ])
  const { rows: started } = await client.query<{ segment: string }>(
    `select pg_walfile_name(pg_backup_start('burgee', true)) as segment`,
  )
  await copyFolder(writer, cluster, CLUSTER_NAME)
  await writer.addFile(LAST_FILE, join(cluster, 'global', 'pg_control'))
  const { rows: stopped } = await client.query<{ segment: string; label: string; map: string }>(
    'select pg_walfile_name(lsn) as segment, labelfile as label, spcmapfile as map from pg_backup_stop(false)',
  )
  const [first, last] = [started[0]?.segment, stopped[0]]
  if (first === undefined || last === undefined)
    throw new Error('PostgreSQL did not state what belongs to the backup')
  if (last.map !== '') throw new BackupRefused('the cluster has tablespaces, which a backup does not contain')
  await writer.addText(`${CLUSTER_NAME}/backup_label`, last.label)
  const segments = (await readdir(join(cluster, 'pg_wal'))).filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last.segment,
  )
  for (const name of segments.sort())
    await writer.addFile(`${CLUSTER_NAME}/pg_wal/${name}`, join(cluster, 'pg_wal', name))
}

/** Adds a folder with everything below it, without settings and without files of the running server. */
async function copyFolder(writer: ArchiveWriter, source: string, path: string): Promise<void> {
  await writer.addFolder(path)
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const inside = `${path}/${entry.name}`
    if (entry.isDirectory()) {
      if (EMPTY_FOLDERS.test(entry.name)) await writer.addFolder(inside)
      else await copyFolder(writer, join(source, entry.name), inside)
    } else if (entry.isFile() && inside !== LAST_FILE && !isLeftOut(inside)) {
      await writer.addFile(inside, join(source, entry.name))
    }
  }
}

const isLeftOut = (path: string): boolean =>
  isConfiguration(path.split('/')) ||
  /\/(backup_label|tablespace_map)(\.old)?$|\/pg_internal\.init/.test(path)
