import { type ExperimentResults, SIGNIFICANCE_THRESHOLD } from '@burgee/contract'
import { formatCount } from '../../../shared/charts/format-number.ts'
import { nameValue } from '../../../shared/charts/name-value.ts'
import { formatPValue } from './describe-chance.ts'
import type { VariantResult } from './describe-comparison.ts'

/** The outcome of a check. `open`: it cannot be decided, or not yet. */
export interface CheckDescription {
  readonly state: 'good' | 'bad' | 'open'
  readonly text: string
}

/** Checks that users came to the variants in the proportions of the flag's weights. */
export function describeSplit({ sample_ratio_mismatch }: ExperimentResults): CheckDescription {
  if (sample_ratio_mismatch === null) {
    return {
      state: 'open',
      text: 'Not checked: the flag does not have two weighted values, or no user has seen one of them first.',
    }
  }
  const { mismatch, p_value } = sample_ratio_mismatch
  const p = formatPValue(p_value)
  if (mismatch) {
    return {
      state: 'bad',
      text: `Users did not come to the variants in the proportions of the flag's weights (${p}). Something takes users away from a variant, or adds some, and those are rarely like the others.`,
    }
  }
  // Such a split is not called broken: it may be chance in one look of many, or there are too few users to be
  // sure. It does not fit well either.
  if (p_value < SIGNIFICANCE_THRESHOLD) {
    return {
      state: 'open',
      text: `Users came to the variants in other proportions than the flag's weights (${p}). There are too few to tell, or it is chance: look again when more have come.`,
    }
  }
  return { state: 'good', text: `Users came to the variants by the weights of the flag (${p}).` }
}

/** The remedies for a broken split, the most frequent cause first. */
export const SPLIT_REMEDIES: readonly string[] = [
  'Look for a variant that crashes, redirects or is closed before its impression is sent.',
  'Look for targeting rules, bots and test users that get one value without being drawn.',
  "If the flag's weights were changed while users were coming in, start again with a new flag.",
]

/**
 * The number of users that a difference like the observed one needs. Null without two variants, and if the
 * difference is not reliable.
 */
export function describePower({
  power,
  sample_ratio_mismatch,
  variants,
}: ExperimentResults): CheckDescription | null {
  if (sample_ratio_mismatch?.mismatch) return null
  const [control, ...others] = variants
  const [most] = others.sort((one, other) => distance(other, control) - distance(one, control))
  if (!control || !most) return null
  if (power === null) {
    return {
      state: 'open',
      text: 'Not known: the variants convert alike so far, so there is no difference to plan for.',
    }
  }
  const needed = power.required_per_variant
  const least = Math.min(control.exposed, most.exposed)
  const need = `About ${formatCount(needed)} users per variant are needed to find a difference like that of ${nameValue(most.variant)} in one planned look, four times out of five.`
  if (least >= needed)
    return {
      state: 'good',
      text: `${need} There are at least ${formatCount(least)} in each.${most.significant ? '' : CAVEAT}`,
    }
  return {
    state: 'open',
    text: `${need} The smaller of the two has ${formatCount(least)}, so about ${formatCount(needed - least)} more.${CAVEAT}`,
  }
}

const CAVEAT = ' While the difference is mostly chance, so is this number.'

const distance = (variant: VariantResult, control: VariantResult | undefined): number =>
  Math.abs(variant.conversion_rate - (control?.conversion_rate ?? 0))
