export { encodeAuditEntry, type HashedEntry } from './encode-audit-entry.ts'
