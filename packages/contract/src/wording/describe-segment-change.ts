import type { Flag } from '../schemas/flag.ts'
import type { TargetingRule } from '../schemas/rule.ts'
import type { Segment } from '../schemas/segment.ts'
import { describeFlagChange } from './describe-flag-change.ts'
import { cutLine } from './format-text.ts'

const TEXT_MAX = 80

/** The fields of a segment that people change. */
type DescribedSegment = Pick<
  Segment,
  'key' | 'name' | 'description' | 'rules' | 'included_keys' | 'excluded_keys'
>

/**
 * Describes a change of a segment as short phrases: `name "Beta" -> "Beta testers"`, `rule 1 added: country
 * equals NO`. Each phrase is plain text of one line, as those of `describeFlagChange`.
 */
export function describeSegmentChange(before: DescribedSegment, after: DescribedSegment): string[] {
  return [
    ...describePair('name', before.name, after.name),
    ...describePair('key', before.key, after.key),
    ...describeFlagChange(asFlag(before), asFlag(after)),
    ...describeKeys('included', before.included_keys, after.included_keys),
    ...describeKeys('excluded', before.excluded_keys, after.excluded_keys),
  ]
}

/** Describes a change of a list of user keys: `3 included user keys added, 1 removed (12 -> 14)`. */
function describeKeys(list: string, before: readonly string[] = [], after: readonly string[] = []): string[] {
  const [was, is] = [new Set(before), new Set(after)]
  const added = after.filter((key) => !was.has(key)).length
  const removed = before.filter((key) => !is.has(key)).length
  if (added + removed === 0) return []
  const parts = [...(added > 0 ? [`${added} added`] : []), ...(removed > 0 ? [`${removed} removed`] : [])]
  return [`${list} user keys: ${parts.join(', ')} (${before.length} -> ${after.length})`]
}

/** Describes a change of rules as short phrases: `rule 1 added: country equals NO`. */
export const describeRulesChange = (before: TargetingRule[], after: TargetingRule[]): string[] =>
  describeFlagChange(
    asFlag({ description: null, rules: before }),
    asFlag({ description: null, rules: after }),
  )

const describePair = (label: string, before: string, after: string): string[] =>
  before === after ? [] : [`${label} "${cutLine(before, TEXT_MAX)}" -> "${cutLine(after, TEXT_MAX)}"`]

/**
 * The segment as a flag. Rules and descriptions are the same in both, so the words for flags serve. The
 * fields that segments lack never differ.
 */
const asFlag = ({ description, rules }: Pick<Segment, 'description' | 'rules'>): Flag => ({
  key: '',
  is_enabled: true,
  rollout_percentage: null,
  description,
  rules,
  flag_type: 'json',
  default_value: null,
  disabled_value: null,
  variants: [],
  prerequisites: [],
  tags: [],
  owner_email: null,
  archived_at: null,
  revision: 0,
})
