import { type Experiment, type ExperimentResults, SIGNIFICANCE_THRESHOLD } from '@burgee/contract'
import { compareProportions } from './statistics/compare-proportions.ts'
import { rateOf } from './statistics/proportion.ts'
import { requiredPerVariant } from './statistics/required-per-variant.ts'
import { sampleRatioMismatch } from './statistics/sample-ratio-mismatch.ts'
import { compareSequentially } from './statistics/sequential-comparison.ts'

type VariantResult = ExperimentResults['variants'][number]

/** The users who saw a variant first, at least one, and those of them who converted. */
export interface VariantCount {
  readonly variant: string
  readonly exposed: number
  readonly converted: number
}

/** All users of a flag and a goal, and its most frequent variants. */
export interface ExperimentCount {
  /** At most `LISTED_VALUES_MAX` variants, in addition to those that were requested by name. */
  readonly variants: readonly VariantCount[]
  readonly total_exposed: number
  readonly total_converted: number
}

/**
 * Computes the results from the counts (docs/reference/reports.md#experiment-results). docs/statistics.md
 * explains the numbers.
 * @param weights The weights of the flag's values; empty when it has none.
 */
export function toExperimentResults(
  experiment: Experiment,
  { total_converted, total_exposed, variants: counts }: ExperimentCount,
  weights: ReadonlyMap<string, number>,
): ExperimentResults {
  const control = findControl(counts, experiment.control_variant)
  const others = counts.filter((count) => count !== control).sort(byName)
  return {
    experiment,
    control_variant: control?.variant ?? null,
    total_exposed,
    total_converted,
    variants: control ? [toControl(control), ...others.map((other) => compare(other, control))] : [],
    sample_ratio_mismatch: sampleRatioMismatch(
      weights,
      new Map(counts.map(({ exposed, variant }) => [variant, exposed])),
    ),
    power: control ? findPower(others, control) : null,
  }
}

/**
 * Returns the wanted control when it has users, otherwise the variant with the most users, and of several the
 * first by name.
 */
function findControl(counts: readonly VariantCount[], wanted: string | null): VariantCount | undefined {
  const found = counts.find(({ variant }) => variant === wanted)
  return found ?? [...counts].sort((one, other) => other.exposed - one.exposed || byName(one, other))[0]
}

/** Compares by code unit, whatever the locale. */
const byName = (one: VariantCount, other: VariantCount): number => (one.variant < other.variant ? -1 : 1)

const toControl = (count: VariantCount): VariantResult => ({
  ...count,
  conversion_rate: rateOf(count),
  is_control: true,
  uplift: null,
  z_score: null,
  p_value: null,
  significant: false,
  confidence_interval: null,
  sequential: null,
})

function compare(count: VariantCount, control: VariantCount): VariantResult {
  const rate = rateOf(count)
  const controlRate = rateOf(control)
  const { confidence_interval, p_value, z_score } = compareProportions(count, control)
  return {
    ...count,
    conversion_rate: rate,
    is_control: false,
    uplift: controlRate === 0 ? null : (rate - controlRate) / controlRate,
    z_score,
    p_value,
    significant: p_value !== null && p_value < SIGNIFICANCE_THRESHOLD,
    confidence_interval,
    sequential: compareSequentially(count, control),
  }
}

/** Returns the power for the variant with the largest difference; null when there is none. */
function findPower(others: readonly VariantCount[], control: VariantCount): ExperimentResults['power'] {
  const differenceOf = (count: VariantCount) => Math.abs(rateOf(count) - rateOf(control))
  const [most] = [...others].sort((one, other) => differenceOf(other) - differenceOf(one))
  const required_per_variant = most ? requiredPerVariant(most, control) : null
  return required_per_variant === null ? null : { required_per_variant }
}
