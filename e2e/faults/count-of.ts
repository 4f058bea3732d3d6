import type { FaultScale } from './fault.ts'

/**
 * How often a row does what it does, or for how many seconds. BURGEE_FAULTS_TIMES replaces the number of the full scale, to see that a
 * row works without waiting for all of it.
 */
export function countOf(scale: FaultScale, counts: Readonly<Record<FaultScale, number>>): number {
  const given = Number(process.env.BURGEE_FAULTS_TIMES)
  return scale === 'full' && given > 0 ? given : counts[scale]
}
