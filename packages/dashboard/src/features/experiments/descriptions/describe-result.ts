import type { ExperimentResults } from '@burgee/contract'
import { nameValue } from '../../../shared/charts/name-value.ts'
import { countOf } from '../../../shared/ui/count-of.ts'
import { formatPValue } from './describe-chance.ts'
import { type CheckDescription, describePower, describeSplit } from './describe-checks.ts'
import {
  type ComparisonDescription,
  compareRates,
  describeComparison,
  describeVoidComparison,
  type VariantResult,
  verdictOf,
} from './describe-comparison.ts'

/** `broken`: the numbers are not to be believed. `waiting`: there is nothing to compare yet. */
export type ResultTone = 'broken' | 'waiting' | 'better' | 'worse' | 'undecided'

/**
 * An experiment's results in plain words (docs/reference/reports.md). docs/statistics.md explains the limits
 * of the numbers.
 */
export interface ResultDescription {
  readonly tone: ResultTone
  readonly headline: string
  readonly explanation: string
  /** A note for a control that is not the chosen one; null if it is. */
  readonly controlNote: string | null
  /** One for each variant beside the control. */
  readonly comparisons: readonly ComparisonDescription[]
  /** A caution for more than two variants; null with fewer. */
  readonly severalNote: string | null
  readonly split: CheckDescription
  readonly power: CheckDescription | null
}

export function describeResult(results: ExperimentResults): ResultDescription {
  const [control, ...others] = results.variants
  const describe = results.sample_ratio_mismatch?.mismatch ? describeVoidComparison : describeComparison
  return {
    ...describeVerdict(results),
    controlNote: describeControl(results),
    comparisons: control ? others.map((variant) => describe(variant, control)) : [],
    severalNote:
      control && others.length > 1
        ? `Each variant is compared with ${nameValue(control.variant)} by itself. With several, one of them looks significant by chance more often: decide beforehand which one matters.`
        : null,
    split: describeSplit(results),
    power: describePower(results),
  }
}

/** The one sentence that people came for, and why. */
export function describeVerdict(
  results: ExperimentResults,
): Pick<ResultDescription, 'tone' | 'headline' | 'explanation'> {
  const { sample_ratio_mismatch, variants, total_converted, total_exposed, experiment } = results
  const [control, ...others] = variants
  if (!control) {
    return {
      tone: 'waiting',
      headline: 'Waiting for the first user',
      explanation: `No user with a key has seen ${experiment.flag_key} yet. Users count from the first value that they see.`,
    }
  }
  if (sample_ratio_mismatch?.mismatch) {
    return {
      tone: 'broken',
      headline: 'Do not use these numbers: the split is broken',
      explanation: `Users did not come to the variants in the proportions of the flag's weights. Find out why before you read anything else.`,
    }
  }
  if (others.length === 0) {
    return {
      tone: 'waiting',
      headline: `Only ${nameValue(control.variant)} has been seen so far`,
      explanation: 'There is nothing to compare with until users see another value of the flag.',
    }
  }
  if (total_converted === 0) {
    return {
      tone: 'waiting',
      headline: 'No users have reached the goal yet',
      explanation: `${countOf(total_exposed, 'user')} saw the flag; none of them reached ${experiment.goal_event_key} then or later. Goals have to be tracked with the same user key.`,
    }
  }
  return describeDecision(experiment.status, others, control)
}

function describeDecision(
  status: ExperimentResults['experiment']['status'],
  others: readonly VariantResult[],
  control: VariantResult,
): Pick<ResultDescription, 'tone' | 'headline' | 'explanation'> {
  const better = others
    .filter((variant) => verdictOf(variant, control) === 'better')
    .sort((one, other) => other.conversion_rate - one.conversion_rate)
  const worse = others.filter((variant) => verdictOf(variant, control) === 'worse')
  const open = others.filter((variant) => !better.includes(variant) && !worse.includes(variant))
  const valid = `This holds however often you looked. ${describeRest(status, open, better)}`.trim()
  const base = nameValue(control.variant)
  const [best] = better
  if (best) {
    return {
      tone: 'better',
      headline: `${listNames(better)} ${better.length > 1 ? 'convert' : 'converts'} better than ${base}`,
      explanation: `${compareRates(best, control)}. ${valid}`,
    }
  }
  const [firstWorse] = worse
  if (firstWorse) {
    return {
      tone: 'worse',
      headline: `${listNames(worse)} ${worse.length > 1 ? 'convert' : 'converts'} worse than ${base}`,
      explanation: `${compareRates(firstWorse, control)}. ${valid}`,
    }
  }
  return { tone: 'undecided', ...describeUndecided(status, others, control) }
}

/**
 * The facts that are still open before one stops. Variants are compared with the control alone, never with
 * each other.
 */
function describeRest(
  status: ExperimentResults['experiment']['status'],
  open: readonly VariantResult[],
  better: readonly VariantResult[],
): string {
  if (open.length > 0) {
    const verb = open.length > 1 ? 'are' : 'is'
    return `${listNames(open)} ${verb} not decided${status === 'completed' ? '' : ' yet'}.`
  }
  if (better.length > 1)
    return 'Which of them is best was not tested: each is compared with the control alone.'
  return status === 'completed' ? '' : 'You may stop here.'
}

function describeUndecided(
  status: ExperimentResults['experiment']['status'],
  others: readonly VariantResult[],
  control: VariantResult,
): Pick<ResultDescription, 'headline' | 'explanation'> {
  const isEarly = others.every(({ sequential }) => sequential === null)
  // With as few users as the always-valid test leaves aside, a significant look is a rough guide at best.
  const [hint] = others
    .filter(({ significant, sequential }) => significant && sequential !== null)
    .sort((one, other) => (one.p_value ?? 1) - (other.p_value ?? 1))
  if (hint && hint.p_value !== null) {
    const side = hint.conversion_rate > control.conversion_rate ? 'better' : 'worse'
    return {
      headline: `${nameValue(hint.variant)} looks ${side} than ${nameValue(control.variant)}, but it is not certain`,
      explanation: `The difference is significant (${formatPValue(hint.p_value)}) if you had planned to look once, now. For someone who looks more often it is not decided yet.`,
    }
  }
  if (isEarly) {
    return {
      headline: status === 'completed' ? 'Too few users to tell' : 'Too early to tell',
      explanation:
        'Each variant needs enough users to expect 5 who convert and 5 who do not. Until then nothing is known about a difference.',
    }
  }
  return {
    headline: status === 'completed' ? 'No difference was found' : 'No winner yet',
    explanation:
      'The variants differ no more than chance may make them differ. That does not show that they are equal: there may be a difference too small to be seen with so many users.',
  }
}

function describeControl({ control_variant, experiment }: ExperimentResults): string | null {
  if (control_variant === null || control_variant === experiment.control_variant) return null
  const instead = `${nameValue(control_variant)}, the value that most users saw first`
  if (experiment.control_variant === null)
    return `No control was chosen: the others are compared with ${instead}.`
  return `No user has seen the control ${nameValue(experiment.control_variant)} yet: until then the others are compared with ${instead}.`
}

const NAMED_MAX = 3
const list = new Intl.ListFormat('en')

function listNames(variants: readonly VariantResult[]): string {
  const names = variants.slice(0, NAMED_MAX).map(({ variant }) => nameValue(variant))
  const left = variants.length - names.length
  return list.format(left > 0 ? [...names, `${left} more`] : names)
}
