export { encodeAuditEntry, encodeAuditFields, type HashedEntry } from './encode-audit-entry.ts'
