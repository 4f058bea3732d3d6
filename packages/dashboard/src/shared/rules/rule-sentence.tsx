import type { TargetingRule } from '@burgee/contract'

/** One rule as a sentence, for reading only. */
export function RuleSentence({ rule }: { readonly rule: TargetingRule }) {
  return <>{rule.segment_key ?? rule.attribute}</>
}
