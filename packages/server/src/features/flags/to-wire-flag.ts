import type { Flag } from '@burgee/contract'
import type { EnvironmentWrite } from '../../changes/index.ts'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { expandRules, type SegmentRules } from './expand-rules.ts'
import { readSegmentRules } from './queries.ts'

/** The flag as SDKs receive it. An archived flag is not sent: callers judge that. */
export function toWireFlag(flag: Flag, segments: SegmentRules): WireFlag {
  return { ...flag, rules: expandRules(flag.rules, segments), archived_at: null }
}

export const namesSegments = (flag: Pick<Flag, 'rules'>): boolean =>
  flag.rules.some((rule) => rule.segment_key)

/** The flag as SDKs of the environment being written receive it. Refuses with `invalid` what expands to too much. */
export async function expandFlag({ environment, tx }: EnvironmentWrite, flag: Flag): Promise<WireFlag> {
  return toWireFlag(flag, namesSegments(flag) ? await readSegmentRules(tx, environment.id) : new Map())
}

/** Refuses with `invalid` a flag that could not be sent: before it is written down for later, as it would be before a direct write. */
export async function requireSendable(write: EnvironmentWrite, flag: Flag | null): Promise<void> {
  if (flag?.archived_at === null) await expandFlag(write, flag)
}
