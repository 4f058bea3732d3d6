import type { Flag } from '@burgee/contract'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { expandRules, readSegmentRules, type SegmentRules } from '../rules/index.ts'
import type { EnvironmentRead } from './environment-read.ts'

/** Converts a flag for SDKs. Callers handle archived flags, which are not sent. */
export function toWireFlag(flag: Flag, segments: SegmentRules): WireFlag {
  return { ...flag, rules: expandRules(flag.rules, segments, flag.flag_type), archived_at: null }
}

export const namesSegments = (flag: Pick<Flag, 'rules'>): boolean =>
  flag.rules.some((rule) => rule.segment_key)

/** Expands a flag for the SDKs of the environment. Refuses with `invalid` when it becomes too large. */
export async function expandFlag({ environment, tx }: EnvironmentRead, flag: Flag): Promise<WireFlag> {
  return toWireFlag(flag, namesSegments(flag) ? await readSegmentRules(tx, environment.id) : new Map())
}

/**
 * Refuses with `invalid` a flag that is too large to send: before it is stored for later, as before a direct
 * write.
 */
export async function requireSendable(read: EnvironmentRead, flag: Flag | null): Promise<void> {
  if (flag?.archived_at === null) await expandFlag(read, flag)
}
