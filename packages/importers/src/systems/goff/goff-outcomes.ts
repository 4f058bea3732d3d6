import type { JsonValue } from '@burgee/evaluation'
import { USER_KEY } from '../../conditions.ts'
import type { Outcome, Weighted } from '../../drafts.ts'
import { Gap } from '../../gap.ts'
import { type JsonObject, jsonOf, numberOf, objectOf, textForm } from '../../reading.ts'
import type { FlagNotes } from '../../report.ts'
import { timeOf } from './goff-clock.ts'

export interface OutcomeContext {
  readonly key: string
  readonly nowMs: number
  readonly notes: FlagNotes
  readonly variations: JsonObject
  readonly bucketBy: string | null
  readonly path: string
}

/** Translates what a rule serves. */
export function outcomeOf(rule: JsonObject, context: OutcomeContext): Outcome {
  if (isGiven(rule.progressiveRollout)) return progressOf(objectOf(rule.progressiveRollout), context)
  const percentages = Object.entries(objectOf(rule.percentage))
  if (percentages.length === 0) return { kind: 'value', value: variationOf(rule.variation, context) }
  // Variations are in the order of their names there, backwards.
  const ordered = percentages
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([name, percentage]) => ({ name, percentage: numberOf(percentage) ?? 0 }))
  if (ordered.some(({ percentage }) => percentage < 0))
    throw new Gap('malformed', 'A percentage is negative.')
  const total = totalOf(ordered.map(({ percentage }) => percentage))
  let end = 0
  const ends = ordered.map(({ percentage }) => {
    end += percentage * PARTS
    return Math.trunc(end)
  })
  if (total === null || total > Math.trunc(end))
    context.notes.lower('approximated', {
      ...{ code: 'share_rounding', path: context.path },
      message: 'The sum of its percentages is rounded there: users may get another value.',
    })
  const upTo = (index: number) => Math.min(ends[index] ?? 0, total ?? Number.POSITIVE_INFINITY)
  const variants = ordered.map(({ name }, index): Weighted => {
    const weight = upTo(index) - (index === 0 ? 0 : upTo(index - 1))
    return { value: variationOf(name, context), weight }
  })
  return divide(variants, context)
}

/** Returns the sum in thousandths. Null where it depends on the order, which is by chance there. */
function totalOf(percentages: readonly number[]): number | null {
  const isWhole = percentages.every((percentage) => Number.isInteger(percentage))
  if (!isWhole && percentages.length > ORDERED_MAX) return null
  const orders = isWhole ? [percentages] : ordersOf(percentages)
  const totals = orders.map((order) => order.reduce((sum, one) => sum + one, 0))
  const [first = 0, ...others] = totals.map((total) => Math.trunc(total * PARTS))
  return others.every((total) => total === first) ? first : null
}
const ORDERED_MAX = 5

const ordersOf = (values: readonly number[]): readonly (readonly number[])[] =>
  values.length === 0
    ? [[]]
    : values.flatMap((value, index) => ordersOf(values.toSpliced(index, 1)).map((order) => [value, ...order]))

const PARTS = 1000

/** Returns whether a rule divides users. */
export const dividesUsers = ({ percentage, progressiveRollout }: JsonObject): boolean =>
  Object.keys(objectOf(percentage)).length > 0 || isGiven(progressiveRollout)

const isGiven = (value: unknown) => value !== undefined && value !== null

function divide(variants: readonly Weighted[], { bucketBy, key }: OutcomeContext): Outcome {
  const kept = variants.filter(({ weight }) => weight > 0)
  const [only] = kept
  if (!only) throw new Gap('malformed', 'Its percentages are all 0.')
  if (kept.length === 1) return { kind: 'value', value: only.value }
  const isByAttribute = bucketBy !== null && bucketBy !== USER_KEY
  const division = { hash: 'go_feature_flag' as const, salt: key, ...(isByAttribute && { bucketBy }) }
  return { kind: 'split', variants: kept, division }
}

/** The share grows with the clock, which no flag of Burgee reads: it is as it is now. */
function progressOf(rollout: JsonObject, context: OutcomeContext): Outcome {
  const { nowMs, notes, path } = context
  const [initial, end] = [objectOf(rollout.initial), objectOf(rollout.end)]
  const [from, to] = [timeOf(initial.date), timeOf(end.date)]
  if (from === null || to === null || to <= from)
    throw new Gap('malformed', 'Its progressive rollout has no two times.')
  const first = numberOf(initial.percentage) ?? 0
  const named = numberOf(end.percentage) ?? 0
  const last = named === 0 || named > 100 ? 100 : named
  const progress = Math.min(1, Math.max(0, (nowMs - from) / (to - from)))
  // Before it begins, the first percentage does not count yet.
  const percentage = nowMs < from ? 0 : first + (last - first) * progress
  if (nowMs < to)
    notes.lower('approximated', {
      ...{ code: 'clock', path },
      message: `Its share grows with time until ${new Date(to).toISOString()}. It is as now: ${Math.round(percentage)}%. Schedule the steps.`,
    })
  const weight = Math.trunc(percentage * PARTS)
  return divide(
    [
      { value: variationOf(end.variation, context), weight },
      { value: variationOf(initial.variation, context), weight: 100 * PARTS - weight },
    ],
    context,
  )
}

function variationOf(name: unknown, { variations }: OutcomeContext): JsonValue {
  const key = textForm(name)
  if (!Object.hasOwn(variations, key))
    throw new Gap('malformed', `There is no variation ${JSON.stringify(key)}.`)
  return jsonOf(variations[key])
}
