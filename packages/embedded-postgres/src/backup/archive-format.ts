/**
 * The file of a backup is gzip over records: a type, a length of four bytes, and that many bytes. The header
 * comes first, then folders and files with their chunks. The end has the SHA-256 of everything before it.
 */
export const MAGIC = Buffer.from('BURGEE-BACKUP 1\n')

/** The types of records. */
export const RECORD = { header: 'H', folder: 'D', file: 'F', chunk: 'C', end: 'E' } as const
export type RecordType = (typeof RECORD)[keyof typeof RECORD]

/** The bytes of a type and a length. */
export const PREFIX_BYTES = 5
/** The largest record: a chunk of a file. */
export const CHUNK_MAX_BYTES = 256 * 1024
export const DIGEST_BYTES = 32
const PATH_MAX_CHARS = 500
/** PostgreSQL has three files for each table and index. This is far beyond any database of Burgee. */
export const FILES_MAX = 1_000_000

/** The first record of a backup. */
export interface BackupHeader {
  readonly created_at: string
  /** The main version of PostgreSQL, as in its file PG_VERSION. */
  readonly postgres: string
  /** The machine, such as `linux-x64`: the files of a cluster depend on it. */
  readonly machine: string
  /** The version of Burgee. */
  readonly version: string
  /** The migrations that the database has. */
  readonly migrations: readonly string[]
}

/** Thrown for a file that is no complete backup, or does not fit here. The message is one clear line. */
export class BackupRefused extends Error {}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= PATH_MAX_CHARS

/** Returns the header in a record. Throws `BackupRefused` unless it is complete. */
export function readHeader(payload: Buffer): BackupHeader {
  const value = parseJson(payload)
  if (
    typeof value === 'object' &&
    value !== null &&
    'created_at' in value &&
    'postgres' in value &&
    'machine' in value &&
    'version' in value &&
    'migrations' in value
  ) {
    const { created_at, machine, migrations, postgres, version } = value
    if (
      isText(created_at) &&
      isText(postgres) &&
      isText(machine) &&
      isText(version) &&
      Array.isArray(migrations) &&
      migrations.every(isText)
    )
      return { created_at, postgres, machine, version, migrations }
  }
  throw new BackupRefused('the header of the backup is damaged')
}

function parseJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    return null
  }
}

/** The names outside the cluster that a backup may have. */
export const SECRET_FILES = ['postgresql-password', 'session-secret']

/** Returns the path in a record. Throws `BackupRefused` for one that a backup never has. */
export function readPath(payload: Buffer): string {
  const path = payload.toString('utf8')
  const parts = path.split('/')
  const isClean =
    path.length <= PATH_MAX_CHARS && parts.every((part) => /^[\w.+-]+$/.test(part) && !/^\.+$/.test(part))
  if (isClean && (SECRET_FILES.includes(path) || (parts[0] === 'postgresql' && !isConfiguration(parts))))
    return path
  throw new BackupRefused(
    `the backup has a file that does not belong to one: ${JSON.stringify(path.slice(0, 80))}`,
  )
}

/** Returns whether a path names settings. These can run commands, so a restore creates its own. */
export const isConfiguration = (parts: readonly string[]): boolean =>
  parts.length === 2 && /\.conf$|^(recovery|standby)\.signal$|^postmaster\./.test(parts[1] ?? '')
