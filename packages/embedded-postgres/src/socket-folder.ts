import { mkdtemp, open, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SOCKET_PORT } from './postgres-settings.ts'

/** The shortest limit of the platforms: 104 bytes with the terminating zero on macOS; Linux has 108. */
const MAX_SOCKET_PATH_BYTES = 103

/**
 * A path of the cluster through which a client can reach its socket, with the resource that keeps the path
 * valid.
 */
export type SocketFolder = { path: string; close(): Promise<void> }

/**
 * Returns a short path of the cluster. PostgreSQL binds its socket by a relative name, but clients need an
 * absolute path, which may be too long for a socket. The short path is this process's open descriptor on
 * Linux, and a link in a private temporary folder elsewhere.
 */
export async function socketFolder(cluster: string): Promise<SocketFolder> {
  if (Buffer.byteLength(join(cluster, `.s.PGSQL.${SOCKET_PORT}`)) <= MAX_SOCKET_PATH_BYTES) {
    return { path: cluster, close: async () => undefined }
  }
  if (process.platform === 'linux') {
    const handle = await open(cluster, 'r')
    return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() }
  }
  const folder = await mkdtemp(join(tmpdir(), 'burgee-'))
  await symlink(cluster, join(folder, 's'))
  return { path: join(folder, 's'), close: () => rm(folder, { recursive: true, force: true }) }
}
