import { erfc } from './erfc.ts'

/**
 * Returns the probability that chance alone gives a standard normal value this far from 0 on either side:
 * P(|Z| >= |z|).
 */
export const twoSidedPValue = (z: number): number => erfc(Math.abs(z) * Math.SQRT1_2)
