import type { TargetingRule } from '@burgee/contract'

type Fields = { readonly [Field in keyof TargetingRule]?: TargetingRule[Field] | undefined }

/** Returns the rule with these fields; undefined removes one. */
export function setRuleFields(rule: TargetingRule, fields: Fields): TargetingRule {
  const set = Object.entries({ ...rule, ...fields }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set)
}
