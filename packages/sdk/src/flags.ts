import type { JsonValue } from '@burgee/evaluation'

/**
 * The flags of your program with the types of their values. It is empty until your program adds members, by
 * hand or with `burgee generate`:
 *
 * ```ts
 * declare module '@burgee/sdk' {
 *   interface Flags { 'new-checkout': boolean; theme: 'light' | 'dark' }
 * }
 * ```
 *
 * From then on `isEnabled` and `getVariant` accept only these keys.
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs add its members
export interface Flags {}

/** The key of a flag: any text while `Flags` has no members. */
export type FlagKey = keyof Flags extends never ? string : keyof Flags & string

/** The type of the values of a flag, as `Flags` has it. */
export type ValueOf<Key> = Key extends keyof Flags ? Flags[Key] : JsonValue

/** The type of the fallbacks of a flag. */
export type FallbackOf<Key> = Key extends keyof Flags ? Flags[Key] | null : unknown

/** The value that `getVariant` returns: that of `Flags`, or else of the type of the fallback. */
export type VariantOf<Key, Fallback> = Key extends keyof Flags
  ? Flags[Key] | (Fallback extends null ? null : never)
  : Widened<Fallback>

/** The type of a fallback, widened: `'blue'` gives string. Values of flags are not checked against it. */
export type Widened<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value
