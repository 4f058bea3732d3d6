export { type ConnectionCounts, createConnectionCounts, readCounts } from './connection-counts.ts'
export { startStreamCountReports } from './report-stream-counts.ts'
