import { segmentsNamedBy } from '@burgee/contract'
import { shareTurn } from '../../platform/turns.ts'
import type { FlagRules, Segments } from '../rules/index.ts'
import type { SegmentEdit } from './change-segment.ts'

/** The segments through which an edit reaches rules: the edited ones, and those that name them at any depth. */
export type EditReach = ReadonlySet<string>

/**
 * Finds what an edit reaches, before or after it. Each rule of a segment is read once, so that many flags may
 * name the same segments.
 */
export async function findReach({
  after,
  before,
  keys,
}: Pick<SegmentEdit, 'after' | 'before' | 'keys'>): Promise<EditReach> {
  const leading = await leadTo(keys, before)
  for (const key of await leadTo(keys, after)) leading.add(key)
  return leading
}

/** Returns whether rules name a segment through which an edit reaches them. */
export const isReached = (rules: FlagRules['rules'], reach: EditReach): boolean =>
  rules.some((rule) => segmentsNamedBy(rule).some((key) => reach.has(key)))

/** Follows the references between segments backwards, each of them once. */
async function leadTo(keys: Iterable<string>, segments: Segments): Promise<Set<string>> {
  const naming = new Map<string, Set<string>>()
  for (const [key, { rules }] of segments) {
    await shareTurn()
    for (const rule of rules) {
      for (const named of segmentsNamedBy(rule)) {
        const known = naming.get(named)
        if (known) known.add(key)
        else naming.set(named, new Set([key]))
      }
    }
  }
  const leading = new Set(keys)
  for (const key of leading) for (const each of naming.get(key) ?? []) leading.add(each)
  return leading
}
