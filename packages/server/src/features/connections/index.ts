export { findConnections } from './find-connections.ts'
export { startStreamCountReports } from './report-stream-counts.ts'
export { createStreamCounts } from './stream-counts.ts'
