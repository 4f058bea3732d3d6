import type { Segment, TargetingRule } from '@burgee/contract'
import type { FlagType } from '@burgee/evaluation'

export interface RulesEditorProps {
  readonly rules: readonly TargetingRule[]
  readonly onChange: (rules: TargetingRule[]) => void
  /** Segments that a rule may name. */
  readonly segments: readonly Segment[]
  /** Attributes seen elsewhere, offered while typing. */
  readonly attributes: readonly string[]
  /** The type of a rule's variant; `null` in segments, where a variant of any type fits. */
  readonly flag_type: FlagType | null
  /** Why nothing can be changed; absent where it can. */
  readonly locked?: string | undefined
  /** By JSON pointer below `/rules`, such as `/rules/0/values`. */
  readonly problems?: Readonly<Record<string, string>>
}
