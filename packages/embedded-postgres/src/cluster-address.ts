import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { errorCode } from './error-code.ts'
import { type PostgresSettings, SOCKET_PORT } from './postgres-settings.ts'
import { socketFolder } from './socket-folder.ts'

/** The address of the cluster, and the parameters that PostgreSQL needs for it. */
export type ClusterAddress = {
  open(cluster: string): Promise<{
    address: { host: string; port: number }
    settings: PostgresSettings
    close(): Promise<void>
  }>
}

const LOOPBACK = '127.0.0.1'
const PORT_FILE = 'postgresql-port'
const OWNER_ONLY = 0o600

/** Returns a unix socket inside the cluster; on Windows a loopback port that is stored in the data folder. */
export async function clusterAddress(dataDir: string): Promise<ClusterAddress> {
  return process.platform === 'win32' ? loopbackAddress(dataDir) : unixAddress()
}

function unixAddress(): ClusterAddress {
  return {
    async open(cluster) {
      const folder = await socketFolder(cluster)
      return { address: { host: folder.path, port: SOCKET_PORT }, settings: {}, close: folder.close }
    },
  }
}

async function loopbackAddress(dataDir: string): Promise<ClusterAddress> {
  // Stored, so that a second server, or the next one after a kill, finds the running PostgreSQL.
  const port = Number(await keepOnce(join(dataDir, PORT_FILE), freePort))
  return {
    open: async () => ({
      address: { host: LOOPBACK, port },
      settings: { listen_addresses: LOOPBACK, unix_socket_directories: '', port },
      close: async () => undefined,
    }),
  }
}

/** Returns the text of the file; the text of the first caller is kept. */
async function keepOnce(file: string, create: () => Promise<string>): Promise<string> {
  try {
    await writeFile(file, await create(), { flag: 'wx', mode: OWNER_ONLY })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}

function freePort(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, LOOPBACK, () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(String(port)))
    })
  })
}
