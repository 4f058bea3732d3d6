import { describeRulesChange, type SegmentPreview, type TargetingRule } from '@burgee/contract'
import { capitalize, formatPhrase } from '../../parts/flag-diff/format-phrase.ts'
import { describePointer } from '../../shared/api/plain-text.ts'

type Effect = SegmentPreview['flags'][number]['changes'][number]

const TEXT_MAX = 120

/** Describes one difference in the rules that SDKs receive, as short phrases. */
export function describeEffect({ after, before, path }: Effect): string[] {
  if (path === '/rules' && Array.isArray(before) && Array.isArray(after)) {
    // The server sends whole lists of rules there.
    return describeRulesChange(before as TargetingRule[], after as TargetingRule[]).map(formatPhrase)
  }
  return [`${capitalize(describePointer(path))}: ${format(before)} → ${format(after)}`]
}

function format(value: unknown): string {
  if (value === null) return 'none'
  const text = Array.isArray(value) ? value.map(formatItem).join(', ') : formatItem(value)
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text
}

const formatItem = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
