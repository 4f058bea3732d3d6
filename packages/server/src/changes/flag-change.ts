import type { WireFlag } from '../kernel/wire-flag.ts'

/**
 * One change of what SDKs see of a flag. `none` is a write that took a revision and that SDKs do not see: a change to an
 * archived flag.
 */
export type FlagChange =
  | { readonly kind: 'upsert'; readonly flag_key: string; readonly flag: WireFlag }
  | { readonly kind: 'delete'; readonly flag_key: string }
  | { readonly kind: 'none'; readonly flag_key: string }
