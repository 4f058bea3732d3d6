import { type Author, credentialOf } from '../kernel/actor.ts'
import type { AuditEntry } from './audit-entry.ts'

/** The bytes of an audit entry beside its texts: columns and index entries. */
export const ENTRY_OVERHEAD_BYTES = 500

export const toJson = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

/** The request that caused a change: its id, the address of the caller, and the credential. */
export interface AuditTrace {
  readonly request_id?: string
  readonly address?: string
  readonly user_agent?: string
  readonly comment?: string
  /** The kind of program that made a direct change. */
  readonly origin?: 'mcp'
  readonly credential?: { readonly kind: string; readonly id: number | string | null }
}

export function auditTrace(author: Author): AuditTrace {
  const { address, comment, origin, request_id, user_agent } = author
  const credential = author.kind === 'past' ? author.credential : credentialOf(author)
  return {
    ...(request_id !== undefined && { request_id }),
    ...(address !== undefined && { address }),
    ...(user_agent !== undefined && { user_agent }),
    ...(comment !== undefined && { comment }),
    ...(origin !== undefined && { origin }),
    ...(credential !== undefined && { credential }),
  }
}

/**
 * Builds the metadata of an entry: how the change came about, and the request. Entries of flags, which are
 * many, do not keep the caller's program.
 */
export const toMetadata = (
  { flag_key, metadata }: AuditEntry,
  { origin, user_agent, ...trace }: AuditTrace,
): string =>
  JSON.stringify({
    ...metadata,
    ...(origin && metadata.origin === 'direct' && { origin }),
    ...(flag_key === '' && user_agent !== undefined && { user_agent }),
    ...trace,
  })

/** Returns the revision of a flag; null for anything else. */
export function revisionOf(resource: object | null): number | null {
  if (resource === null || !('revision' in resource)) return null
  return typeof resource.revision === 'number' ? resource.revision : null
}
