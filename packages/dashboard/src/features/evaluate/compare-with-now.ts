import { deepEqual, type Evaluation, type FlagSet } from '@burgee/evaluation'
import { formatValue } from './format-value.ts'
import type { Subject } from './subject.ts'
import type { PastItem } from './use-past-results.ts'

/** A flag of a past moment, with what it gives the same user now; null where that is the same. */
export interface ComparedItem {
  readonly item: PastItem
  readonly now: Evaluation | null
}

/** Evaluates the flags of a past moment as they are now. */
export function compareWithNow(items: readonly PastItem[], set: FlagSet, subject: Subject): ComparedItem[] {
  const context = { userKey: subject.user_key, attributes: subject.attributes }
  return items.map((item) => {
    const now = set.evaluate(item.flag_key, context)
    const isSame = now.enabled === item.enabled && deepEqual(now.value, item.value)
    return { item, now: isSame ? null : now }
  })
}

/** True for an item that a filter keeps. */
export function passes({ item, now }: ComparedItem, filter: string): boolean {
  if (filter === 'on') return item.enabled
  if (filter === 'off') return !item.enabled
  return filter !== 'different' || now !== null
}

/** Describes the result of now: `"red"`, `false (off)`. */
export const describeNow = ({ enabled, reason, value }: Evaluation): string =>
  reason === 'FLAG_NOT_FOUND'
    ? 'SDKs do not have the flag.'
    : `${formatValue(value)}${enabled ? '' : ' (off)'}`
