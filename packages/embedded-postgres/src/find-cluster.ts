import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { clusterAddress } from './cluster-address.ts'
import { APPLICATION, passwordOf } from './cluster-roles.ts'
import { readSecret } from './cluster-secret.ts'
import { CLUSTER_NAME, DATABASE } from './create-cluster.ts'
import type { DatabaseAddress } from './database-address.ts'
import { errorCode } from './error-code.ts'

/** The address of a cluster that another process may be running, for a program beside the server. */
export type FoundCluster = {
  connection: DatabaseAddress
  close(): Promise<void>
}

/** Returns the address of the cluster in a data folder; null when the folder has none. */
export async function findCluster(dataDir: string): Promise<FoundCluster | null> {
  try {
    const folder = await realpath(resolve(dataDir))
    const secret = await readSecret(folder)
    if (secret === null) return null
    const { address, close } = await (await clusterAddress(folder)).open(join(folder, CLUSTER_NAME))
    const password = passwordOf(secret, APPLICATION)
    return { connection: { ...address, database: DATABASE, user: APPLICATION, password }, close }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
