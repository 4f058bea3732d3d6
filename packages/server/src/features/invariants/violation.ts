import type { Violation } from '@burgee/contract'
import type { InvariantVerdict } from './decide-invariant.ts'

type Unheld = Exclude<InvariantVerdict, { readonly verdict: 'holds' }>

/** Returns an invariant that does not hold as the API shows it. */
export function toViolation(key: string, { verdict, why, ...rest }: Unheld): Violation {
  const counter_example = 'counterExample' in rest ? rest.counterExample : undefined
  return { key, verdict, why, ...(counter_example && { counter_example }) }
}
