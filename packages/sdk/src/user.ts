import type { Attributes } from '@burgee/evaluation'

/** The stable identifier that is hashed for rollouts and variants. Null or absent for an anonymous user. */
export type UserKey = string | null | undefined
export type MaybeAttributes = Attributes | null | undefined
