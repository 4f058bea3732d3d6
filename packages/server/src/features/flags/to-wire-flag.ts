import type { Flag } from '@burgee/contract'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import type { EnvironmentRead } from './environment-read.ts'
import { expandRules, type SegmentRules } from './expand-rules.ts'
import { readSegmentRules } from './queries.ts'

/** The flag as SDKs receive it. An archived flag is not sent: callers judge that. */
export function toWireFlag(flag: Flag, segments: SegmentRules): WireFlag {
  return { ...flag, rules: expandRules(flag.rules, segments), archived_at: null }
}

export const namesSegments = (flag: Pick<Flag, 'rules'>): boolean =>
  flag.rules.some((rule) => rule.segment_key)

/** The flag as SDKs of the environment receive it. Refuses with `invalid` what expands to too much. */
export async function expandFlag({ environment, tx }: EnvironmentRead, flag: Flag): Promise<WireFlag> {
  return toWireFlag(flag, namesSegments(flag) ? await readSegmentRules(tx, environment.id) : new Map())
}

/** Refuses with `invalid` a flag that could not be sent: before it is written down for later, as it would be before a direct write. */
export async function requireSendable(read: EnvironmentRead, flag: Flag | null): Promise<void> {
  if (flag?.archived_at === null) await expandFlag(read, flag)
}
