import type { AuditVerification } from '@burgee/contract'

/** Describes verified chains: "Verified to entry 4,812", or how many entries of how many chains. */
export function describeVerified(lines: readonly AuditVerification[]): string {
  const [line] = lines
  if (line === undefined) return 'There is no entry to verify yet'
  if (lines.length === 1) return `Verified to entry ${format(line.head.seq)}`
  const entries = lines.reduce((sum, each) => sum + each.entries, 0)
  return `Verified ${format(entries)} entries in ${lines.length} chains`
}

/** Describes the first entry of a chain that does not fit; null where every entry fits. */
export function describeProblem({ first_bad }: AuditVerification): string | null {
  if (first_bad === undefined) return null
  const { problem, seq } = first_bad
  const entry = seq === null ? 'An entry' : `Entry ${format(seq)}`
  switch (problem) {
    case 'changed':
      return `${entry} is not what was written`
    case 'missing':
      return `${entry} was removed`
    case 'inserted':
      return `${entry} was added outside of the chain`
    case 'truncated':
      return `The end of the log was cut: entry ${format(seq ?? 1)} is missing`
    case 'genesis':
      return 'An entry older than the chain was modified'
  }
}

const format = (value: number): string => value.toLocaleString('en')
