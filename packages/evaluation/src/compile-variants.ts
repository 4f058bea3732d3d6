import { assertValid, type Fields } from './assert-valid.ts'
import type { CreateEvaluation, Evaluation } from './evaluation.ts'
import type { FlagType } from './flag.ts'
import { isWholeNumber, readValue } from './read-value.ts'

export const HASH_RANGE = 2 ** 32

export interface CompiledVariants {
  /** The results of the variants. */
  readonly choices: readonly Evaluation[]
  /**
   * The upper bound of each variant in the range of the hash. A weight of 0 has the bound of the variant
   * before it.
   */
  readonly bounds: readonly number[]
  readonly total: number
}

/**
 * Compiles the weighted variants (docs/reference/evaluation.md#variant-choice).
 *
 * @throws TypeError when they are not valid.
 */
export function compileVariants(
  variants: readonly Fields[],
  type: FlagType,
  create: CreateEvaluation,
  detail?: Partial<Evaluation>,
): CompiledVariants {
  let total = 0
  const sums = variants.map(({ weight }) => {
    assertValid(isWholeNumber(weight) && type !== 'boolean')
    total += weight
    return total
  })
  assertValid(total > 0 || variants.length === 0)
  return {
    choices: variants.map(({ value }, variant_index) =>
      create('SPLIT', readValue(type, value, null), true, { ...detail, variant_index }),
    ),
    bounds: sums.map((sum) => (sum / total) * HASH_RANGE),
    total,
  }
}
