export type { DatabaseAddress } from './database-address.ts'
export { type FoundCluster, findCluster } from './find-cluster.ts'
export type { Log } from './log.ts'
export {
  ClusterRefused,
  DataDirInUse,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts'
