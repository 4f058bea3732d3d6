import type { TargetingRule } from '@burgee/contract'

/** The actions of the rows. The functions never change. */
export interface RuleRowActions {
  readonly toggle: (sortKey: string, isOpen: boolean) => void
  readonly replace: (index: number, rule: TargetingRule) => void
  readonly move: (from: number, to: number) => void
  readonly duplicate: (index: number) => void
  readonly remove: (index: number) => void
}
