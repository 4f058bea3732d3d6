import { readFileSync } from 'node:fs'
import { BackupRefused, findCluster, startEmbeddedPostgres } from '@burgee/embedded-postgres'
import { backUp } from './admin/back-up.ts'
import { restore } from './admin/restore.ts'
import { allowPassword } from './identity/single-sign-on/index.ts'
import { connectDatabase, type DatabaseConnection, isDatabaseUnavailable } from './platform/db/connect.ts'
import { errorCode } from './platform/log/error-code.ts'
import { createLog, type Log } from './platform/log/log.ts'
import { packageFile } from './platform/package-file.ts'
import { type Config, ConfigError, describeConfigError, loadConfig } from './platform/settings/config.ts'

const USAGE = [
  'Usage: npm run admin -- allow-password <e-mail>',
  '       npm run admin -- backup <new file>',
  '       npm run admin -- restore <file> [--replace]',
].join('\n')
/** The settings that name the database. A command needs no others. */
const NAMES = ['DATABASE_URL', 'DATABASE_URL_FILE', 'DATA_DIR']
const BYTES_PER_MB = 1024 * 1024

type Database = Config['database']

/** Runs a command of the operator on the machine of the server, which may be running. */
async function main([command, ...words]: readonly string[]): Promise<number> {
  const isReplacing = command === 'restore' && words.includes('--replace')
  const [subject, ...rest] = words.filter((word) => !(isReplacing && word === '--replace'))
  const isKnown = rest.length === 0
  if (command === undefined || !isCommand(command) || !subject || subject.startsWith('-') || !isKnown) {
    console.error(USAGE)
    return 2
  }
  const env = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]))
  const { database } = loadConfig({ ...env, NODE_ENV: 'development' }, (path) => readFileSync(path, 'utf8'))
  const log = createLog('error')
  if (command === 'allow-password') return await allowPasswordOf(database, subject, log)
  if (database.kind === 'external') {
    console.error(`With DATABASE_URL, use pg_dump and pg_restore: ${command} is for the embedded database.`)
    return 1
  }
  const { dataDir } = database
  if (command === 'backup') return await writeBackup(dataDir, subject, log)
  return await readBackup({ dataDir, file: subject, isReplacing, log })
}

/** The problems of a path in a command line, by the code of the system. */
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is below a file',
  EACCES: 'is closed to this account',
  EISDIR: 'is a folder',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'is on a full disk',
}

const COMMANDS = ['allow-password', 'backup', 'restore'] as const
const isCommand = (text: string): text is (typeof COMMANDS)[number] => COMMANDS.some((name) => name === text)

const reportNoDatabase = (dataDir: string): number => {
  console.error(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL like the server.`)
  return 1
}

async function writeBackup(dataDir: string, file: string, log: Log): Promise<number> {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
  const created_at = new Date().toISOString()
  const size = await backUp({ dataDir, file, version, created_at, log })
  if (size === null) return reportNoDatabase(dataDir)
  console.log(`${file} has the database of ${dataDir} (${(size / BYTES_PER_MB).toFixed(1)} MB).`)
  console.log('It contains the secrets of the data folder: keep it as you keep those.')
  return 0
}

async function readBackup(input: Parameters<typeof restore>[0]): Promise<number> {
  const { header, movedTo } = await restore(input)
  console.log(`${input.dataDir} has the database of ${header.created_at}, of Burgee ${header.version}.`)
  if (movedTo !== null) console.log(`What was there is in ${movedTo}. Delete it when it is not needed.`)
  return 0
}

async function allowPasswordOf(database: Database, email: string, log: Log): Promise<number> {
  if (database.kind === 'external') return allow({ connection: database.url, email, log })
  const found = await findCluster(database.dataDir)
  if (found === null) return reportNoDatabase(database.dataDir)
  try {
    return await allow({ connection: found.connection, email, log })
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    // The server is not running, so neither is its database.
    return await withCluster(database.dataDir, log, (connection) => allow({ connection, email, log }))
  } finally {
    await found.close()
  }
}

async function withCluster(
  dataDir: string,
  log: Log,
  work: (connection: DatabaseConnection) => Promise<number>,
): Promise<number> {
  const cluster = await startEmbeddedPostgres({ dataDir, log })
  try {
    return await work(cluster.connection)
  } finally {
    await cluster.close()
  }
}

interface Request {
  readonly connection: DatabaseConnection
  readonly email: string
  readonly log: Log
}

async function allow({ connection, email, log }: Request): Promise<number> {
  const { close, db } = connectDatabase({ connection, max_connections: 1, log })
  try {
    const result = await allowPassword(db, email)
    if (result.kind === 'refused') {
      console.error(result.reason)
      return 1
    }
    console.log(`${result.email} may sign in with the password until ${result.until}.`)
    return 0
  } finally {
    await close()
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.exitCode = report(error)
  },
)

/** Prints why a command failed, and returns its exit code: 2 for a setting or a path that is wrong. */
function report(error: unknown): number {
  if (error instanceof ConfigError) {
    console.error(describeConfigError(error))
    return 2
  }
  const code = errorCode(error) ?? ''
  const failure: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error))
  const words = FILE_PROBLEMS[code]
  const isRefused = words !== undefined || error instanceof BackupRefused
  const text = words === undefined ? failure.message : `${failure.path ?? 'a file'} ${words}.`
  console.error(isRefused ? `Refused, and nothing was changed: ${text}` : `The command failed: ${text}`)
  return words === undefined || code === 'ENOSPC' ? 1 : 2
}
