import type { Segment, TargetingRule } from '@burgee/contract'
import type { FlagType } from '@burgee/evaluation'

export interface RuleFormProps {
  readonly rule: TargetingRule
  readonly onChange: (rule: TargetingRule) => void
  readonly segments: readonly Segment[]
  readonly attributes: readonly string[]
  readonly flag_type: FlagType | null
  readonly isReadOnly: boolean
  /** By JSON pointer below the rule: `/values`, `/conditions/0/attribute`. */
  readonly problemOf: (path: string) => string | undefined
  readonly hasFocus: boolean
}
