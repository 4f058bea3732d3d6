import type { ExperimentResults } from '@burgee/contract'
import { SIGNIFICANCE_THRESHOLD } from '@burgee/contract'
import { formatChange, formatCount, formatPoints, formatShare } from '../../../shared/charts/format-number.ts'
import { nameValue } from '../../../shared/charts/name-value.ts'
import { describeChance, formatPValue } from './describe-chance.ts'

export type VariantResult = ExperimentResults['variants'][number]

/** The result of the always-valid test: `early` while it has none, `void` if its numbers are not reliable. */
export type Verdict = 'better' | 'worse' | 'undecided' | 'early' | 'void'

/** From this uplift on a multiple is easier to grasp than a percentage. */
const MULTIPLE_FROM = 10

/** One variant against the control, in sentences. */
export interface ComparisonDescription {
  readonly variant: string
  readonly verdict: Verdict
  /** The observed difference. */
  readonly difference: string
  /** The test for one planned look; empty if it is not reliable. */
  readonly chance: string
  /** Between which differences the true one probably is; for one planned look too, and empty likewise. */
  readonly range: string
  /** The verdict that holds however often one looks. */
  readonly anyTime: string
}

export function describeComparison(variant: VariantResult, control: VariantResult): ComparisonDescription {
  return {
    variant: variant.variant,
    verdict: verdictOf(variant, control),
    difference: describeDifference(variant, control),
    chance: describeSingleLook(variant, control),
    range: describeRange(variant),
    anyTime: describeAnyTime(variant, control),
  }
}

/** The same for a broken split of the users: the observed numbers, and no test of them. */
export function describeVoidComparison(
  variant: VariantResult,
  control: VariantResult,
): ComparisonDescription {
  return {
    variant: variant.variant,
    verdict: 'void',
    difference: `As reported: ${describeDifference(variant, control)}`,
    chance: '',
    range: '',
    anyTime: 'No verdict: the split of the users is broken.',
  }
}

/** By the always-valid test alone: people look when they like. */
export function verdictOf({ conversion_rate, sequential }: VariantResult, control: VariantResult): Verdict {
  if (sequential === null) return 'early'
  if (sequential.p_value >= SIGNIFICANCE_THRESHOLD) return 'undecided'
  return conversion_rate > control.conversion_rate ? 'better' : 'worse'
}

/** `“green” converts 35% more than “blue”`, without a full stop. */
export function compareRates(
  { variant, conversion_rate, uplift }: VariantResult,
  control: VariantResult,
): string {
  const name = nameValue(variant)
  const base = nameValue(control.variant)
  if (uplift === null) {
    return conversion_rate === 0
      ? `Neither ${name} nor ${base} has converted anyone so far`
      : `${name} converts ${formatShare(conversion_rate)} of its users, ${base} none so far`
  }
  if (uplift === 0) return `${name} converts just as many of its users as ${base}`
  // "12 times more" would be read as 12 times as many, which is a different number.
  if (uplift >= MULTIPLE_FROM)
    return `${name} converts ${formatCount(Math.round(uplift + 1))} times as many of its users as ${base}`
  return `${name} converts ${formatChange(uplift)} ${uplift > 0 ? 'more' : 'less'} than ${base}`
}

function describeDifference(variant: VariantResult, control: VariantResult): string {
  const words = compareRates(variant, control)
  if (variant.uplift === null)
    return `${words}. There is no percentage to give until the control converts someone.`
  return `${words}: ${formatShare(variant.conversion_rate)} of its users, against ${formatShare(control.conversion_rate)}.`
}

function describeSingleLook(
  { p_value, significant, converted, sequential }: VariantResult,
  control: VariantResult,
): string {
  if (p_value === null) {
    const who = converted + control.converted === 0 ? 'no one' : 'everyone'
    return `No test is possible yet, since ${who} has converted in both.`
  }
  const chance = `If there were no difference, one at least this large would appear in ${describeChance(p_value)} (${formatPValue(p_value)}).`
  if (sequential === null)
    return `${chance} With so few users that is a rough guide, and no reason to decide.`
  return significant
    ? `${chance} That is significant if you decided beforehand to look once, now.`
    : `${chance} That is not significant.`
}

function describeRange({ confidence_interval }: VariantResult): string {
  if (confidence_interval === null)
    return 'No range can be given while each variant converts either everyone or no one.'
  const { low, high } = confidence_interval
  const range = `For this one look, the true difference is probably between ${formatPoints(low)} and ${formatPoints(high)} percentage points`
  return low <= 0 && high >= 0 ? `${range}: there may be none at all.` : `${range}.`
}

function describeAnyTime(variant: VariantResult, control: VariantResult): string {
  const { sequential } = variant
  if (sequential === null) {
    return 'Too early to look: wait until each variant can be expected to have 5 users who convert and 5 who do not.'
  }
  const name = nameValue(variant.variant)
  const verdict = verdictOf(variant, control)
  if (verdict === 'undecided') {
    return `You may look at any time: nothing is decided yet. The true difference is probably between ${formatPoints(sequential.low)} and ${formatPoints(sequential.high)} percentage points.`
  }
  const least = Math.min(Math.abs(sequential.low), Math.abs(sequential.high))
  const by = least > 0 ? `, by at least ${formatPoints(least).replace('+', '')} percentage points` : ''
  return `However often you looked: ${name} is ${verdict} than ${nameValue(control.variant)}${by}.`
}
