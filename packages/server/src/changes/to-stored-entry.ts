import { type Author, credentialOf } from '../kernel/actor.ts'
import type { AuditEntry } from './audit-entry.ts'

/** Beside its texts: the columns and the index entries of an audit entry. */
export const ENTRY_OVERHEAD_BYTES = 500

export const toJson = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

/** The request that a change was made for: its id, the address that it came from, and the credential that it carried. */
export interface AuditTrace {
  readonly request_id?: string
  readonly address?: string
  readonly credential?: { readonly kind: string; readonly id: number | string | null }
}

export function auditTrace(author: Author): AuditTrace {
  const { address, request_id } = author
  return {
    ...(request_id !== undefined && { request_id }),
    ...(address !== undefined && { address }),
    ...(author.kind !== 'past' && { credential: credentialOf(author) }),
  }
}

/** How it came about, and the request that it was made for. */
export const toMetadata = ({ metadata }: AuditEntry, trace: AuditTrace): string =>
  JSON.stringify({ ...metadata, ...trace })

/** The revision of a flag; null for anything else. */
export function revisionOf(resource: object | null): number | null {
  if (resource === null || !('revision' in resource)) return null
  return typeof resource.revision === 'number' ? resource.revision : null
}
