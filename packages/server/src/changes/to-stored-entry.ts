import type { AuditEntry } from './audit-entry.ts'

/** Beside its texts: the columns and the index entries of an audit entry. */
export const ENTRY_OVERHEAD_BYTES = 500

export const toJson = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

/** How it came about, and the request that it was done for. */
export const toMetadata = ({ metadata }: AuditEntry, request_id: string | undefined): string =>
  JSON.stringify(request_id === undefined ? metadata : { ...metadata, request_id })

/** The revision of a flag; null for anything else. */
export function revisionOf(resource: object | null): number | null {
  if (resource === null || !('revision' in resource)) return null
  return typeof resource.revision === 'number' ? resource.revision : null
}
