import type { VariantResult } from '../descriptions/describe-comparison.ts'

/**
 * At most `limit` variants: the control first, then those that most users saw, in the order in which they
 * came.
 */
export function pickVariants(variants: readonly VariantResult[], limit: number): VariantResult[] {
  const [control, ...others] = variants
  if (!control) return []
  const picked = new Set(
    [...others].sort((one, other) => other.exposed - one.exposed).slice(0, Math.max(0, limit - 1)),
  )
  return [control, ...others.filter((variant) => picked.has(variant))]
}
