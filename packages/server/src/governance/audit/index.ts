export { auditHandlers } from './handlers.ts'
export { startAuditKeeping } from './keep-audit-months.ts'
export { startAnchorLog } from './log-anchors.ts'
