import type { FaultScale } from './fault.ts'

/**
 * Returns the number of repetitions or seconds of a row. BURGEE_FAULTS_TIMES replaces the number of the full
 * scale, to check a row quickly.
 */
export function countOf(scale: FaultScale, counts: Readonly<Record<FaultScale, number>>): number {
  const given = Number(process.env.BURGEE_FAULTS_TIMES)
  return scale === 'full' && given > 0 ? given : counts[scale]
}
