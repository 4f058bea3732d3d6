import { SECOND_FACTORS, type SecondFactor } from '@burgee/contract'
import { ApiError } from '../../shared/api/api-error.ts'

/** Returns the factors that a right password must be followed by; null for any other error. */
export function requiredFactors(error: unknown): readonly SecondFactor[] | null {
  if (!(error instanceof ApiError) || error.body.reason !== 'second_factor_required') return null
  const { factors } = error.body
  return SECOND_FACTORS.filter((factor) => Array.isArray(factors) && factors.includes(factor))
}
