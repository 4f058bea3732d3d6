import type { Flag } from '../schemas/flag.ts'

/** The fields of a flag from which types and manifests are made. */
export type TypedFlag = Pick<
  Flag,
  'key' | 'flag_type' | 'description' | 'owner_email' | 'default_value' | 'disabled_value' | 'variants'
> &
  Pick<Flag, 'rules' | 'archived_at' | 'variant_names' | 'value_schema' | 'expires_at' | 'links'>

/** Returns the flags in the order of the code units of their keys. */
export const sortFlags = <F extends { readonly key: string }>(flags: readonly F[]): F[] =>
  [...flags].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
