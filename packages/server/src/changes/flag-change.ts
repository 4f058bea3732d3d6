import type { WireFlag } from '../kernel/wire-flag.ts'

/**
 * One change of a flag for SDKs. `none` takes a revision but is invisible to SDKs: a change to an archived
 * flag.
 */
export type FlagChange = (
  | { readonly kind: 'upsert'; readonly flag_key: string; readonly flag: WireFlag }
  | { readonly kind: 'delete'; readonly flag_key: string }
  | { readonly kind: 'none'; readonly flag_key: string }
) & {
  /** The audit entry that it belongs to, where a write has several; absent for the last one. */
  readonly audit_id?: number
  /** The bytes for SDKs that the row of the flag has, where the write has read them. */
  readonly wire_bytes?: number | undefined
}
