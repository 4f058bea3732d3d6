import { erfc } from './erfc.ts'

/** How often chance alone gives a standard normal value this far from 0, to either side: P(|Z| >= |z|). */
export const twoSidedPValue = (z: number): number => erfc(Math.abs(z) * Math.SQRT1_2)
