import { mkdtemp, open, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SOCKET_PORT } from './postgres-settings.ts'

/** The shortest limit of the platforms: 104 bytes with a closing zero on macOS; Linux has 108. */
const MAX_SOCKET_PATH_BYTES = 103

/** A path of the cluster by which a client can name its socket, and what keeps that path alive. */
export type SocketFolder = { path: string; close(): Promise<void> }

/**
 * PostgreSQL binds its socket by a relative name, so it can sit in any cluster; a client needs a whole path, which may be too long
 * for a socket's address. Then the cluster gets a short name: on Linux this process's open descriptor of it, elsewhere a link in a
 * private temporary folder.
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
