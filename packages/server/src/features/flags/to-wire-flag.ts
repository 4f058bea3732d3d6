import type { Flag } from '@burgee/contract'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { expandRules, type SegmentRules } from './expand-rules.ts'

/** The flag as SDKs receive it. An archived flag is not sent: callers judge that. */
export function toWireFlag(flag: Flag, segments: SegmentRules): WireFlag {
  return { ...flag, rules: expandRules(flag.rules, segments), archived_at: null }
}

export const namesSegments = (flag: Pick<Flag, 'rules'>): boolean =>
  flag.rules.some((rule) => rule.segment_key)
