import type { TargetingRule } from '@burgee/contract'

/** The rules of a flag, or rules that it will have. */
export interface FlagRules {
  readonly flag_key: string
  readonly rules: readonly TargetingRule[]
}
