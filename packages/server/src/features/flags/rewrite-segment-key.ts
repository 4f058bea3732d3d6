import type { Flag, TargetingRule } from '@burgee/contract'
import type { EnvironmentWrite } from '../../changes/index.ts'
import { listFlagsNamingSegments, saveFlag } from './queries.ts'

/** Rules with every reference to one segment turned into a reference to another; the same array when there is none. */
export function renameSegment<R extends readonly TargetingRule[]>(
  rules: R,
  from: string,
  to: string,
): R | TargetingRule[] {
  if (!rules.some((rule) => rule.segment_key === from)) return rules
  return rules.map((rule) => (rule.segment_key === from ? { ...rule, segment_key: to } : rule))
}

/** Writes a segment's new key into the flags that name it directly. Their own revision stays: what they say stays. */
export async function rewriteSegmentKey(write: EnvironmentWrite, from: string, to: string): Promise<void> {
  const flags: Flag[] = await listFlagsNamingSegments(write.tx, write.environment.id)
  for (const flag of flags) {
    const rules = renameSegment(flag.rules, from, to)
    if (rules !== flag.rules)
      await saveFlag(write.tx, write.environment.id, { ...flag, rules: [...rules] }, write.now)
  }
}
