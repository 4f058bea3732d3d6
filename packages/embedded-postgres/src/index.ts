export { type BackupHeader, BackupRefused } from './backup/archive-format.ts'
export { backupCluster } from './backup/backup-cluster.ts'
export { type Restored, restoreCluster } from './backup/restore-cluster.ts'
export type { DatabaseAddress } from './database-address.ts'
export { type FoundCluster, findCluster } from './find-cluster.ts'
export type { Log } from './log.ts'
export {
  ClusterRefused,
  DataDirInUse,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts'
