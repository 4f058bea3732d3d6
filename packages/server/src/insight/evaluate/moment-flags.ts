import type { FlagSet } from '@burgee/evaluation'

/** The flags of an environment at a moment. Those of the present change with it. */
export interface MomentFlags {
  readonly environment_id: string
  readonly revision: number
  readonly flags: Pick<FlagSet, 'get' | 'has' | 'resolve'>
  /** The keys of the flags in code unit order. */
  keys(): readonly string[]
  /** The additional facts of a past moment. */
  readonly past?: PastDetails
}

/** The facts of a past moment beside the results. */
export interface PastDetails {
  /** A text for a moment at which clients were receiving a change. */
  readonly notice: string | null
  /** The bytes of the texts from which flags are parsed when they are explained. */
  readonly textBytes: number
  /** The fields of the flag's item: the change that made it so, and the next one. */
  ofFlag(key: string): { readonly changed?: PastChange; readonly next_change?: PastChange }
}

/** A change of a flag, and who made it where that is known. */
export interface PastChange {
  readonly revision: number
  readonly at: string
  readonly audit_id: number | null
  readonly actor_email: string | null
  readonly action: string | null
}
