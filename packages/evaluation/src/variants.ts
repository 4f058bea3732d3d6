import { createEvaluation, type Evaluation } from './evaluation.ts'
import type { JsonValue } from './flag.ts'
import { continueMurmur3, type Murmur3State, startMurmur3 } from './murmur3.ts'
import { demand, type Fields } from './wire.ts'

const HASH_RANGE = 2 ** 32

/** The weighted variants made ready (specification, "Weighted variants"). */
export interface CompiledVariants {
  /** The hash of `variant:<flag key>:`: its salt keeps the choice of a variant apart from the rollout's bucket. */
  readonly prefix: Murmur3State
  /** Where each variant's share of the hash range ends. A weight of zero ends where its neighbour before ends. */
  readonly ends: readonly number[]
  readonly choices: readonly Evaluation[]
}

/** Null when the list is empty. Weights that add up to nothing are malformed. */
export function compileVariants(
  flagKey: string,
  variants: readonly Fields[],
  read: (value: unknown) => JsonValue,
): CompiledVariants | null {
  if (variants.length === 0) return null
  const sums: number[] = []
  let total = 0
  for (const { weight } of variants) {
    demand(Number.isSafeInteger(weight) && Number(weight) >= 0)
    total += Number(weight)
    sums.push(total)
  }
  demand(total > 0)
  return {
    prefix: startMurmur3(`variant:${flagKey}:`),
    ends: sums.map((sum) => (sum / total) * HASH_RANGE),
    choices: variants.map(({ value }, variant_index) =>
      createEvaluation('SPLIT', read(value), true, { variant_index }),
    ),
  }
}

/** The variant that the user always gets while the weights stand. */
export function chooseVariant(variants: CompiledVariants, userKey: string): Evaluation | undefined {
  const hash = continueMurmur3(variants.prefix, userKey) >>> 0
  const { ends } = variants
  let index = 0
  while (hash >= (ends[index] ?? HASH_RANGE)) index++
  return variants.choices[index]
}
